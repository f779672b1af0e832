//go:build amd64 && !noasm && !purego && !race

#include "textflag.h"

// func arccosinesAVX(row, lengths *float64, n int, scale, slopes, one float64, lanes *[16][4]float64)
//
// Y15 scale, Y14 slopes, Y13 one, Y12 all bits but the sign, Y11 1, Y10 ½, Y9 π/2; Y0 the cosine, Y1 its size, Y2 its
// sign, Y4 where that is above ½, Y5 the argument of the rational, Y6 its square, Y7 the square of that
TEXT ·arccosinesAVX(SB), NOSPLIT, $0-56
	MOVQ row+0(FP), DI
	MOVQ lengths+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSD scale+24(FP), Y15
	VBROADCASTSD slopes+32(FP), Y14
	VBROADCASTSD one+40(FP), Y13
	MOVQ lanes+48(FP), AX
	VMOVUPD (AX), Y12
	VMOVUPD 32(AX), Y11
	VMOVUPD 64(AX), Y10
	VMOVUPD 96(AX), Y9
loop:
	VMOVUPD (DI), Y0
	VANDPD Y12, Y0, Y1
	VANDNPD Y0, Y12, Y2
	VORPD Y11, Y2, Y3
	VCMPPD $0x1e, Y13, Y1, Y4       // above one
	VBLENDVPD Y4, Y3, Y0, Y0
	VANDPD Y12, Y0, Y1
	VCMPPD $0x1e, Y10, Y1, Y4
	VSUBPD Y1, Y11, Y5
	VMULPD Y10, Y5, Y5
	VSQRTPD Y5, Y5
	VBLENDVPD Y4, Y5, Y0, Y5
	VMULPD Y5, Y5, Y6
	VMULPD Y6, Y6, Y7

	VMULPD 320(AX), Y6, Y8          // p5
	VADDPD 288(AX), Y8, Y8          // p4
	VMULPD Y7, Y8, Y8
	VMULPD 256(AX), Y6, Y3          // p3
	VMOVUPD 224(AX), Y1             // p2
	VSUBPD Y3, Y1, Y3
	VADDPD Y8, Y3, Y8
	VMULPD Y7, Y8, Y8
	VMULPD 192(AX), Y6, Y3          // p1
	VMOVUPD 160(AX), Y1             // p0
	VSUBPD Y3, Y1, Y3
	VADDPD Y8, Y3, Y8
	VMULPD Y8, Y6, Y8               // z·p

	VMULPD 448(AX), Y7, Y1          // q4
	VMULPD 416(AX), Y6, Y3          // q3
	VMOVUPD 384(AX), Y6             // q2, where z was
	VSUBPD Y3, Y6, Y3
	VADDPD Y1, Y3, Y1
	VMULPD Y7, Y1, Y1
	VMULPD Y5, Y5, Y6
	VMULPD 352(AX), Y6, Y3          // q1
	VSUBPD Y3, Y11, Y3
	VADDPD Y1, Y3, Y1

	VDIVPD Y1, Y8, Y8
	VMULPD Y5, Y8, Y8
	VADDPD Y8, Y5, Y5               // arcsin, or of the other argument
	VMULPD 128(AX), Y5, Y8          // 2
	VSUBPD Y8, Y9, Y8
	VANDPD Y12, Y8, Y8
	VORPD Y2, Y8, Y8
	VBLENDVPD Y4, Y8, Y5, Y5

	VADDPD Y5, Y9, Y5
	VMULPD Y14, Y5, Y5
	VMULPD Y0, Y5, Y5
	VSUBPD Y0, Y11, Y1
	VADDPD Y0, Y11, Y3
	VMULPD Y3, Y1, Y1
	VSQRTPD Y1, Y1
	VADDPD Y1, Y5, Y5
	VMULPD (SI), Y15, Y1
	VMULPD Y5, Y1, Y1
	VMOVUPD Y1, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	SUBQ $4, CX
	JNZ  loop
	VZEROUPPER
	RET
