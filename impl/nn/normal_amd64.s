//go:build amd64 && !noasm && !purego && !race

#include "textflag.h"

// func geluAVX2(values, slopes, z *float64, n int, lanes *[35][4]float64) int
//
// Y15 z, Y14 x, Y13 count, Y12 r, Y11 c; then Y12 2ⁿ(2 + 2r − c), Y11 2 − c, Y10 x², Y9 x⁴, Y8 the numerator, Y7 the
// denominator; Y0 to Y6 terms
TEXT ·geluAVX2(SB), NOSPLIT, $0-48
	MOVQ values+0(FP), DI
	MOVQ slopes+8(FP), SI
	MOVQ z+16(FP), BX
	MOVQ n+24(FP), CX
	MOVQ lanes+32(FP), AX
	XORQ DX, DX
loop:
	VMOVUPD (BX)(DX*8), Y15
	VANDPD (AX), Y15, Y14
	VCMPPD $0x06, 32(AX), Y14, Y0   // not ≤ normalEnd
	VMOVMSKPD Y0, R8
	TESTL R8, R8
	JNZ  done

	VANDPD 64(AX), Y14, Y0          // head
	VMULPD Y0, Y0, Y1
	VMULPD 96(AX), Y1, Y1           // power
	VSUBPD Y0, Y14, Y2
	VADDPD Y0, Y14, Y3
	VMULPD Y3, Y2, Y2
	VMULPD 256(AX), Y2, Y2          // (x−head)(x+head)/2
	VMULPD 128(AX), Y1, Y3
	VADDPD 160(AX), Y3, Y13         // count
	VSUBPD 160(AX), Y13, Y3         // n
	VMULPD 192(AX), Y3, Y4
	VSUBPD Y4, Y1, Y1
	VMULPD 224(AX), Y3, Y3
	VADDPD Y2, Y3, Y3
	VSUBPD Y3, Y1, Y12              // r

	VMULPD Y12, Y12, Y0             // r²
	VMULPD Y0, Y0, Y1               // r⁴
	VMULPD 416(AX), Y0, Y2
	VADDPD 384(AX), Y2, Y2          // e0 + r²e1
	VMULPD 480(AX), Y0, Y3
	VADDPD 448(AX), Y3, Y3          // e2 + r²e3
	VMULPD 512(AX), Y1, Y4
	VADDPD Y4, Y3, Y3
	VMULPD Y1, Y3, Y3
	VADDPD Y3, Y2, Y2
	VMULPD Y0, Y2, Y2
	VSUBPD Y2, Y12, Y11             // c
	VMOVUPD 288(AX), Y6             // 2
	VMULPD Y6, Y12, Y0
	VADDPD Y6, Y0, Y0
	VSUBPD Y11, Y0, Y0
	VPSLLQ $52, Y13, Y13
	VPADDQ Y13, Y0, Y12             // 2ⁿ(2 + 2r − c)
	VSUBPD Y11, Y6, Y11             // 2 − c

	VMULPD Y14, Y14, Y10            // x²
	VMULPD Y10, Y10, Y9             // x⁴
	VMULPD 576(AX), Y14, Y0
	VADDPD 544(AX), Y0, Y0          // q0 + q1x
	VMULPD 640(AX), Y14, Y1
	VADDPD 608(AX), Y1, Y1
	VMULPD Y10, Y1, Y1
	VADDPD Y1, Y0, Y0
	VMULPD 704(AX), Y14, Y1
	VADDPD 672(AX), Y1, Y1          // q4 + q5x
	VMULPD 768(AX), Y14, Y2
	VADDPD 736(AX), Y2, Y2
	VMULPD Y10, Y2, Y2
	VADDPD Y2, Y1, Y1
	VMULPD Y9, Y1, Y1
	VADDPD Y1, Y0, Y0
	VMULPD Y9, Y9, Y5               // x⁸
	VMULPD 800(AX), Y5, Y1
	VADDPD Y1, Y0, Y8

	VMOVUPD 320(AX), Y6             // 1
	VMULPD 832(AX), Y14, Y0
	VADDPD Y6, Y0, Y0               // 1 + d1x
	VMULPD 896(AX), Y14, Y1
	VADDPD 864(AX), Y1, Y1
	VMULPD Y10, Y1, Y1
	VADDPD Y1, Y0, Y0
	VMULPD 960(AX), Y14, Y1
	VADDPD 928(AX), Y1, Y1          // d4 + d5x
	VMULPD 1024(AX), Y14, Y2
	VADDPD 992(AX), Y2, Y2
	VMULPD Y10, Y2, Y2
	VADDPD Y2, Y1, Y1
	VMULPD Y9, Y1, Y1
	VADDPD Y1, Y0, Y0
	VMULPD 1088(AX), Y14, Y1
	VADDPD 1056(AX), Y1, Y1         // d8 + d9x
	VMULPD Y5, Y1, Y1
	VADDPD Y1, Y0, Y7

	VMULPD Y7, Y11, Y0
	VDIVPD Y0, Y6, Y0               // 1/((2 − c)·denominator)
	VMULPD Y0, Y12, Y12
	VMULPD Y8, Y12, Y0              // Φ(−x)
	VMULPD Y7, Y12, Y1
	VMULPD 352(AX), Y1, Y1          // φ
	VSUBPD Y0, Y6, Y2
	VXORPD Y3, Y3, Y3
	VCMPPD $0x1e, Y3, Y15, Y3       // z > 0
	VBLENDVPD Y3, Y2, Y0, Y0        // Φ
	VMULPD Y1, Y15, Y1
	VADDPD Y1, Y0, Y1
	VMULPD Y0, Y15, Y0
	VMOVUPD Y1, (SI)(DX*8)
	VMOVUPD Y0, (DI)(DX*8)
	ADDQ $4, DX
	CMPQ DX, CX
	JL   loop
done:
	VZEROUPPER
	MOVQ DX, ret+40(FP)
	RET
