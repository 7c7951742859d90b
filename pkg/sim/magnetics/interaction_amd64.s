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
DATA numbers<>+8(SB)/8, $1e-7 // µ0/4π
DATA numbers<>+16(SB)/8, $3.0
DATA numbers<>+24(SB)/8, $5.0
GLOBL numbers<>(SB), RODATA|NOPTR, $32

// Offsets of tile, which advances by four dipoles in SI, and of row in DI.
#define COLUMN 512
#define TILE_M (3*COLUMN)
#define TILE_PULL (6*COLUMN)
#define TILE_FIELD (9*COLUMN)
#define ROW_M 24
#define ROW_FORCE 48
#define ROW_FIELD 144

// DOT sets d to the product of two vectors.
#define DOT(ax, ay, az, bx, by, bz, d) \
	VMULPD ax, bx, d    \
	VMULPD ay, by, Y15  \
	VADDPD Y15, d, d    \
	VMULPD az, bz, Y15  \
	VADDPD Y15, d, d

// FIELD adds p r − k m to sum.
#define FIELD(p, r, m, sum) \
	VMULPD r, p, Y9      \
	VMULPD m, Y10, Y11   \
	VSUBPD Y11, Y9, Y9   \
	VADDPD sum, Y9, Y9   \
	VMOVUPD Y9, sum

// COMPONENT adds a component of force and fields: with the coefficients k in Y10, a, b
// and c in Y12 to Y14.
#define COMPONENT(r, mj, mi, force, field, pull, there) \
	VMULPD mj, Y12, Y9   \
	VMULPD mi, Y13, Y11  \
	VADDPD Y11, Y9, Y9   \
	VMULPD r, Y14, Y11   \
	VADDPD Y11, Y9, Y9   \
	VADDPD force, Y9, Y11 \
	VMOVUPD Y11, force   \
	VADDPD pull, Y9, Y11 \
	VMOVUPD Y11, pull    \
	FIELD(Y13, r, mj, field) \
	FIELD(Y12, r, mi, there)

// func addRowAVX2(r *row, t *tile, n int)
TEXT ·addRowAVX2(SB), NOSPLIT, $0-24
	MOVQ r+0(FP), DI
	MOVQ t+8(FP), SI
	MOVQ n+16(FP), CX
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

	// r in Y0 to Y2, moments of the tile in Y3 to Y5, of the row in Y6 to Y8
	VBROADCASTSD 0(DI), Y0
	VBROADCASTSD 8(DI), Y1
	VBROADCASTSD 16(DI), Y2
	VSUBPD       0(SI), Y0, Y0
	VSUBPD       COLUMN(SI), Y1, Y1
	VSUBPD       (2*COLUMN)(SI), Y2, Y2
	VMOVUPD      TILE_M(SI), Y3
	VMOVUPD      (TILE_M+COLUMN)(SI), Y4
	VMOVUPD      (TILE_M+2*COLUMN)(SI), Y5
	VBROADCASTSD ROW_M(DI), Y6
	VBROADCASTSD (ROW_M+8)(DI), Y7
	VBROADCASTSD (ROW_M+16)(DI), Y8

	// q in Y9, 0 where of no use; k in Y10, s in Y11
	DOT(Y0, Y1, Y2, Y0, Y1, Y2, Y9)
	VBROADCASTSD 0(R10), Y10
	VDIVPD       Y9, Y10, Y9
	VANDPD       Y12, Y9, Y9
	VSQRTPD      Y9, Y10
	VBROADCASTSD 8(R10), Y11
	VMULPD       Y9, Y11, Y11
	VMULPD       Y10, Y11, Y10
	VBROADCASTSD 16(R10), Y11
	VMULPD       Y10, Y11, Y11
	VMULPD       Y9, Y11, Y11

	// a, b, c
	DOT(Y6, Y7, Y8, Y0, Y1, Y2, Y12)
	DOT(Y3, Y4, Y5, Y0, Y1, Y2, Y13)
	DOT(Y6, Y7, Y8, Y3, Y4, Y5, Y14)
	VBROADCASTSD 24(R10), Y15
	VMULPD       Y9, Y15, Y15
	VMULPD       Y12, Y15, Y15
	VMULPD       Y13, Y15, Y15
	VSUBPD       Y15, Y14, Y14
	VMULPD       Y14, Y11, Y14
	VMULPD       Y12, Y11, Y12
	VMULPD       Y13, Y11, Y13

	COMPONENT(Y0, Y3, Y6, ROW_FORCE(DI), ROW_FIELD(DI), TILE_PULL(SI), TILE_FIELD(SI))
	COMPONENT(Y1, Y4, Y7, (ROW_FORCE+32)(DI), (ROW_FIELD+32)(DI), (TILE_PULL+COLUMN)(SI), (TILE_FIELD+COLUMN)(SI))
	COMPONENT(Y2, Y5, Y8, (ROW_FORCE+64)(DI), (ROW_FIELD+64)(DI), (TILE_PULL+2*COLUMN)(SI), (TILE_FIELD+2*COLUMN)(SI))

	ADDQ $32, SI
	SUBQ $4, CX
	JGT  block
	VZEROUPPER

done:
	RET
