#include "textflag.h"

// The first of four lanes that are in use, by how many are not.
DATA lanesInUse<>+0(SB)/8, $-1
DATA lanesInUse<>+8(SB)/8, $-1
DATA lanesInUse<>+16(SB)/8, $-1
DATA lanesInUse<>+24(SB)/8, $-1
DATA lanesInUse<>+32(SB)/8, $0
DATA lanesInUse<>+40(SB)/8, $0
DATA lanesInUse<>+48(SB)/8, $0
DATA lanesInUse<>+56(SB)/8, $0
GLOBL lanesInUse<>(SB), RODATA|NOPTR, $64

DATA numbers<>+0(SB)/8, $1.0
DATA numbers<>+8(SB)/8, $0.3333333333333333
DATA numbers<>+16(SB)/8, $-0.5
DATA numbers<>+24(SB)/8, $1.5
DATA numbers<>+32(SB)/8, $0x8000000000000000 // the sign
GLOBL numbers<>(SB), RODATA|NOPTR, $40

// Offsets of tile, which advances by four spheres in SI, and of row in DI.
#define COLUMN 512
#define TILE_F (3*COLUMN)
#define TILE_M (6*COLUMN)
#define TILE_RADIUS (9*COLUMN)
#define TILE_V (10*COLUMN)
#define ROW_F 24
#define ROW_M 48
#define ROW_RADIUS 72
#define ROW_SCALE 80
#define ROW_V 88

// Where a link is: r in Y0 to Y2, turn in Y3 to Y5, the rest here.
#define TT 0(SP)
#define TH 32(SP)
#define RR 64(SP)
#define RH 96(SP)

// ALONG sets Y12 to k (r·l) for the load l.
#define ALONG(k, lx, ly, lz) \
	VMULPD Y0, lx, Y12   \
	VMULPD Y1, ly, Y13   \
	VADDPD Y13, Y12, Y12 \
	VMULPD Y2, lz, Y13   \
	VADDPD Y13, Y12, Y12 \
	VMULPD k, Y12, Y12

// ADD adds to sum: c l + Y12 r + (n1 u2 − n2 u1), a component of the motion under the
// load l along r and the load n across it.
#define ADD(c, l, r, n1, u2, n2, u1, sum) \
	VMULPD c, l, Y13     \
	VMULPD r, Y12, Y14   \
	VADDPD Y14, Y13, Y13 \
	VMULPD n1, u2, Y14   \
	VMULPD n2, u1, Y15   \
	VSUBPD Y15, Y14, Y14 \
	VADDPD Y14, Y13, Y13 \
	VADDPD sum, Y13, Y13 \
	VMOVUPD Y13, sum

// MOTION adds to six sums the motion under force (Y6 to Y8) and moment (Y9 to Y11).
#define MOTION(vx, vy, vz, wx, wy, wz) \
	ALONG(TH, Y6, Y7, Y8)                     \
	ADD(TT, Y6, Y0, Y10, Y5, Y11, Y4, vx) \
	ADD(TT, Y7, Y1, Y11, Y3, Y9, Y5, vy)  \
	ADD(TT, Y8, Y2, Y9, Y4, Y10, Y3, vz)  \
	ALONG(RH, Y9, Y10, Y11)                   \
	ADD(RR, Y9, Y0, Y7, Y5, Y8, Y4, wx)   \
	ADD(RR, Y10, Y1, Y8, Y3, Y6, Y5, wy)  \
	ADD(RR, Y11, Y2, Y6, Y4, Y7, Y3, wz)

// func addRowAVX2(r *row, t *tile, n int) (overlaps bool)
TEXT ·addRowAVX2(SB), NOSPLIT, $128-25
	MOVQ r+0(FP), DI
	MOVQ t+8(FP), SI
	MOVQ n+16(FP), CX
	XORL R8, R8
	LEAQ lanesInUse<>(SB), R9
	LEAQ numbers<>(SB), R10
	MOVQ $4, R11
	CMPQ CX, $0
	JLE  done

block:
	// which lanes are in use: Y12
	MOVQ    CX, DX
	CMPQ    DX, R11
	CMOVQGT R11, DX
	NEGQ    DX
	VMOVUPD 32(R9)(DX*8), Y12

	// r, and its square in Y6
	VBROADCASTSD 0(DI), Y0
	VBROADCASTSD 8(DI), Y1
	VBROADCASTSD 16(DI), Y2
	VSUBPD       0(SI), Y0, Y0
	VSUBPD       COLUMN(SI), Y1, Y1
	VSUBPD       (2*COLUMN)(SI), Y2, Y2
	VMULPD       Y0, Y0, Y6
	VMULPD       Y1, Y1, Y7
	VADDPD       Y7, Y6, Y6
	VMULPD       Y2, Y2, Y7
	VADDPD       Y7, Y6, Y6

	// those that overlap are told, and of no use here
	VMOVUPD      TILE_RADIUS(SI), Y8
	VBROADCASTSD ROW_RADIUS(DI), Y9
	VADDPD       Y8, Y9, Y10
	VMULPD       Y10, Y10, Y10
	VCMPPD       $1, Y10, Y6, Y11
	VANDPD       Y11, Y12, Y13
	VMOVMSKPD    Y13, BX
	ORL          BX, R8
	VANDNPD      Y12, Y11, Y12

	// q in Y7 (0 where of no use), g in Y6, k in Y8, g3 in Y9
	VBROADCASTSD 0(R10), Y10
	VDIVPD       Y6, Y10, Y7
	VANDPD       Y12, Y7, Y7
	VSQRTPD      Y7, Y6
	VBROADCASTSD ROW_SCALE(DI), Y10
	VMULPD       Y10, Y6, Y6
	VMULPD       Y8, Y8, Y8
	VMULPD       Y9, Y9, Y9
	VADDPD       Y8, Y9, Y8
	VMULPD       Y7, Y8, Y8
	VMULPD       Y6, Y7, Y9

	// the link
	VMULPD       Y9, Y0, Y3
	VMULPD       Y9, Y1, Y4
	VMULPD       Y9, Y2, Y5
	VMULPD       Y6, Y8, Y10
	VBROADCASTSD 8(R10), Y11
	VMULPD       Y11, Y10, Y10
	VADDPD       Y10, Y6, Y10
	VMOVUPD      Y10, TT
	VMULPD       Y9, Y8, Y10
	VSUBPD       Y10, Y9, Y10
	VMOVUPD      Y10, TH
	VBROADCASTSD 16(R10), Y11
	VMULPD       Y11, Y9, Y10
	VMOVUPD      Y10, RR
	VBROADCASTSD 24(R10), Y11
	VMULPD       Y11, Y9, Y10
	VMULPD       Y7, Y10, Y10
	VMOVUPD      Y10, RH

	// what the loads of the tile do to the row
	VMOVUPD TILE_F(SI), Y6
	VMOVUPD (TILE_F+COLUMN)(SI), Y7
	VMOVUPD (TILE_F+2*COLUMN)(SI), Y8
	VMOVUPD TILE_M(SI), Y9
	VMOVUPD (TILE_M+COLUMN)(SI), Y10
	VMOVUPD (TILE_M+2*COLUMN)(SI), Y11
	MOTION(ROW_V(DI), (ROW_V+32)(DI), (ROW_V+64)(DI), (ROW_V+96)(DI), (ROW_V+128)(DI), (ROW_V+160)(DI))

	// what the load of the row does to the tile, from which r points the other way
	VBROADCASTSD 32(R10), Y13
	VXORPD       Y13, Y3, Y3
	VXORPD       Y13, Y4, Y4
	VXORPD       Y13, Y5, Y5
	VBROADCASTSD ROW_F(DI), Y6
	VBROADCASTSD (ROW_F+8)(DI), Y7
	VBROADCASTSD (ROW_F+16)(DI), Y8
	VBROADCASTSD ROW_M(DI), Y9
	VBROADCASTSD (ROW_M+8)(DI), Y10
	VBROADCASTSD (ROW_M+16)(DI), Y11
	MOTION(TILE_V(SI), (TILE_V+COLUMN)(SI), (TILE_V+2*COLUMN)(SI), (TILE_V+3*COLUMN)(SI), (TILE_V+4*COLUMN)(SI), (TILE_V+5*COLUMN)(SI))

	ADDQ $32, SI
	SUBQ $4, CX
	JGT  block
	VZEROUPPER

done:
	TESTL R8, R8
	SETNE overlaps+24(FP)
	RET
