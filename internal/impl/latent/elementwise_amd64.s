//go:build amd64 && !noasm && !purego && !race

#include "textflag.h"

// func rectifyAVX(to, from, biases *float64, n int, sign float64)
//
// Y7 sign, Y6 all bits but the sign, Y5 ½
TEXT ·rectifyAVX(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ biases+16(FP), DX
	MOVQ n+24(FP), CX
	VBROADCASTSD sign+32(FP), Y7
	VPCMPEQD X6, X6, X6
	VPSRLQ $1, X6, X6
	VINSERTF128 $1, X6, Y6, Y6
	MOVQ $0x3fe0000000000000, AX
	VMOVQ AX, X5
	VMOVDDUP X5, X5
	VINSERTF128 $1, X5, Y5, Y5
loop:
	VMULPD (SI), Y7, Y0
	VADDPD (DX), Y0, Y0
	VANDPD Y6, Y0, Y1
	VADDPD Y1, Y0, Y0
	VMULPD Y5, Y0, Y0
	VMOVUPD Y0, (DI)
	ADDQ $32, SI
	ADDQ $32, DX
	ADDQ $32, DI
	SUBQ $4, CX
	JNZ  loop
	VZEROUPPER
	RET

// func indicateAVX(row, biases *float64, n int)
//
// Y7 zeros, Y6 ones
TEXT ·indicateAVX(SB), NOSPLIT, $0-24
	MOVQ row+0(FP), DI
	MOVQ biases+8(FP), DX
	MOVQ n+16(FP), CX
	VXORPD Y7, Y7, Y7
	MOVQ $0x3ff0000000000000, AX
	VMOVQ AX, X6
	VMOVDDUP X6, X6
	VINSERTF128 $1, X6, Y6, Y6
loop:
	VMOVUPD (DI), Y0
	VADDPD (DX), Y0, Y0
	VADDPD Y7, Y0, Y0
	VBLENDVPD Y0, Y7, Y6, Y0
	VMOVUPD Y0, (DI)
	ADDQ $32, DX
	ADDQ $32, DI
	SUBQ $4, CX
	JNZ  loop
	VZEROUPPER
	RET
