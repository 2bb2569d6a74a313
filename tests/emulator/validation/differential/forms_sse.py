# SPDX-License-Identifier: GPL-2.0-only
"""List forms of SSE and AVX instructions, as tables.

A form's text has {m} for the operand in memory, {d} for the number of the destination, which is
also a source, {s} for the number of another source, and {i} for a constant.
"""

import dataclasses

from differential.forms import LEVELS


@dataclasses.dataclass(frozen=True)
class Vector:
    """A form of SSE or AVX instructions.

    access: as in program.Access; empty without an operand in memory
    size: the size of the operand in memory
    aligned: whether the operand must be aligned to its size
    level: the first level of processors that have it
    flags: whether it defines all flags
    """

    text: str
    access: str
    size: int = 16
    aligned: bool = False
    level: str = LEVELS[0]
    flags: bool = False


# These instructions use two vectors of integers, one of which may be in memory.
PAIRS = {
    "sse2": """paddb paddw paddd paddq paddsb paddsw paddusb paddusw psubb psubw psubd psubq psubsb
        psubsw psubusb psubusw pand pandn por pxor pcmpeqb pcmpeqw pcmpeqd pcmpgtb pcmpgtw pcmpgtd
        pmaddwd pmulhw pmullw pmulhuw pmuludq pavgb pavgw pmaxsw pmaxub pminsw pminub psadbw
        packssdw packsswb packuswb punpckhbw punpckhwd punpckhdq punpckhqdq punpcklbw punpcklwd
        punpckldq punpcklqdq psllw pslld psllq psrlw psrld psrlq psraw psrad andps andnps orps xorps
        andpd orpd xorpd unpcklps unpckhpd""".split(),
    "sse4.1": """pshufb phaddw phaddd phaddsw phsubw phsubd phsubsw pmaddubsw pmulhrsw psignb psignw
        psignd pabsb pabsw pabsd pmulld pmuldq pmaxsb pmaxsd pmaxud pmaxuw pminsb pminsd pminud
        pminuw packusdw pcmpeqq phminposuw ptest""".split(),
    "sse4.2": ["pcmpgtq"],
    "avx": "aesenc aesenclast aesdec aesdeclast aesimc".split(),
}
# These instructions have a constant, too.
CONSTANTS = {
    "sse2": "pshufd pshufhw pshuflw shufps shufpd".split(),
    "sse4.1": "palignr pblendw blendps blendpd mpsadbw".split(),
    "sse4.2": "pcmpestri pcmpestrm pcmpistri pcmpistrm".split(),
    "avx": "pclmulqdq aeskeygenassist".split(),
}
# The operands of these instructions need not be aligned. They define the flags.
TEXT = "pcmpestri pcmpestrm pcmpistri pcmpistrm".split()
# These instructions shift by a constant.
SHIFTS = "psllw pslld psllq psrlw psrld psrlq psraw psrad pslldq psrldq".split()

# These moves are loads or stores. Each has the size of its operand, and whether it must be
# aligned.
LOADS = (("movaps", 16, True), ("movapd", 16, True), ("movdqa", 16, True), ("movups", 16, False),
         ("movupd", 16, False), ("movdqu", 16, False), ("lddqu", 16, False), ("movss", 4, False),
         ("movsd", 8, False), ("movd", 4, False), ("movq", 8, False), ("movlps", 8, False),
         ("movhps", 8, False), ("movlpd", 8, False), ("movhpd", 8, False), ("movddup", 8, False),
         ("movsldup", 16, True), ("movshdup", 16, True))
STORES = (("movaps", 16, True), ("movdqa", 16, True), ("movups", 16, False), ("movdqu", 16, False),
          ("movupd", 16, False), ("movntps", 16, True), ("movntdq", 16, True),
          ("movntpd", 16, True), ("movss", 4, False), ("movsd", 8, False), ("movd", 4, False),
          ("movq", 8, False), ("movlps", 8, False), ("movhps", 8, False), ("movlpd", 8, False),
          ("movhpd", 8, False))


def pairs():
    """Yield the forms of PAIRS, CONSTANTS and SHIFTS, in memory and in registers."""
    for level, names in PAIRS.items():
        for name in names:
            flags = name == "ptest"
            yield Vector(f"{name} {{m}}, %xmm{{d}}", "r", 16, True, level, flags)
            yield Vector(f"{name} %xmm{{s}}, %xmm{{d}}", "", level=level, flags=flags)
    for level, names in CONSTANTS.items():
        for name in names:
            text = name in TEXT
            yield Vector(f"{name} ${{i}}, {{m}}, %xmm{{d}}", "r", 16, not text, level, text)
            yield Vector(f"{name} ${{i}}, %xmm{{s}}, %xmm{{d}}", "", level=level, flags=text)
    for name in SHIFTS:
        yield Vector(f"{name} ${{i}}, %xmm{{d}}", "")


def moves():
    """Yield loads, stores, and forms that take or insert a part of a vector."""
    for name, size, aligned in LOADS:
        yield Vector(f"{name} {{m}}, %xmm{{d}}", "r", size, aligned)
    for name, size, aligned in STORES:
        yield Vector(f"{name} %xmm{{d}}, {{m}}", "w", size, aligned)
    for text in ("movaps %xmm{s}, %xmm{d}", "movss %xmm{s}, %xmm{d}", "movq %xmm{s}, %xmm{d}",
                 "movhlps %xmm{s}, %xmm{d}", "movlhps %xmm{s}, %xmm{d}", "movd %eax, %xmm{d}",
                 "movq %r9, %xmm{d}", "movd %xmm{d}, %ecx", "movq %xmm{d}, %r14",
                 "movmskps %xmm{d}, %ebx", "movmskpd %xmm{d}, %r8d", "pmovmskb %xmm{d}, %edx",
                 "pinsrw ${i}, %ecx, %xmm{d}", "pextrw ${i}, %xmm{d}, %r10d"):
        yield Vector(text, "")
    yield Vector("pinsrw ${i}, {m}, %xmm{d}", "r", 2)
    for letter, size in (("b", 1), ("d", 4), ("q", 8)):
        yield Vector(f"pinsr{letter} ${{i}}, {{m}}, %xmm{{d}}", "r", size, level="sse4.1")
        yield Vector(f"pextr{letter} ${{i}}, %xmm{{d}}, {{m}}", "w", size, level="sse4.1")
    yield Vector("pextrw ${i}, %xmm{d}, {m}", "w", 2, level="sse4.1")
    yield Vector("extractps ${i}, %xmm{d}, {m}", "w", 4, level="sse4.1")
    yield Vector("insertps ${i}, {m}, %xmm{d}", "r", 4, level="sse4.1")
    yield Vector("movntdqa {m}, %xmm{d}", "r", 16, True, "sse4.1")
    for kind, size in (("bw", 8), ("bd", 4), ("bq", 2), ("wd", 8), ("wq", 4), ("dq", 8)):
        for extension in "sz":
            yield Vector(f"pmov{extension}x{kind} {{m}}, %xmm{{d}}", "r", size, level="sse4.1")
    for name in ("pblendvb", "blendvps", "blendvpd"):
        yield Vector(f"{name} %xmm0, {{m}}, %xmm{{d}}", "r", 16, True, "sse4.1")


def avx():
    """Yield forms with three operands or with 256 bits. Operands need not be aligned unless the
    form says so."""
    for name in PAIRS["sse2"]:
        yield Vector(f"v{name} {{m}}, %xmm{{s}}, %xmm{{d}}", "r", level="avx")
        if name[0] == "p":
            size = 16 if name[:4] in ("psll", "psrl", "psra") else 32
            yield Vector(f"v{name} {{m}}, %ymm{{s}}, %ymm{{d}}", "r", size, level="avx2")
        else:
            yield Vector(f"v{name} {{m}}, %ymm{{s}}, %ymm{{d}}", "r", 32, level="avx")
    for name, aligned in (("vmovaps", True), ("vmovdqa", True), ("vmovups", False),
                          ("vmovdqu", False)):
        for register, size in (("x", 16), ("y", 32)):
            yield Vector(f"{name} {{m}}, %{register}mm{{d}}", "r", size, aligned, "avx")
            yield Vector(f"{name} %{register}mm{{d}}, {{m}}", "w", size, aligned, "avx")
    yield Vector("vmovntdq %ymm{d}, {m}", "w", 32, True, "avx")
    yield Vector("vmovntps %ymm{d}, {m}", "w", 32, True, "avx")
    yield Vector("vlddqu {m}, %ymm{d}", "r", 32, level="avx")
    yield Vector("vbroadcastss {m}, %ymm{d}", "r", 4, level="avx")
    yield Vector("vbroadcastsd {m}, %ymm{d}", "r", 8, level="avx")
    yield Vector("vbroadcastf128 {m}, %ymm{d}", "r", 16, level="avx")
    yield Vector("vinsertf128 $1, {m}, %ymm{s}, %ymm{d}", "r", 16, level="avx")
    yield Vector("vextractf128 $1, %ymm{d}, {m}", "w", 16, level="avx")
    yield Vector("vperm2f128 ${i}, {m}, %ymm{s}, %ymm{d}", "r", 32, level="avx")
    yield Vector("vpermilps ${i}, {m}, %ymm{d}", "r", 32, level="avx")
    yield Vector("vtestps {m}, %ymm{d}", "r", 32, level="avx", flags=True)
    yield Vector("vptest {m}, %ymm{d}", "r", 32, level="avx", flags=True)
    for name, size in (("vmovss", 4), ("vmovsd", 8), ("vmovd", 4), ("vmovq", 8)):
        yield Vector(f"{name} {{m}}, %xmm{{d}}", "r", size, level="avx")
        yield Vector(f"{name} %xmm{{d}}, {{m}}", "w", size, level="avx")
    yield Vector("vmovhps {m}, %xmm{s}, %xmm{d}", "r", 8, level="avx")
    yield Vector("vzeroupper", "", level="avx")
    yield Vector("vzeroall", "", level="avx")
    yield Vector("vpxor %ymm{s}, %ymm{d}, %ymm{d}", "", level="avx2")
    yield Vector("vmovdqa %ymm{s}, %ymm{d}", "", level="avx")


def avx2():
    """Yield the forms that AVX2 added, except those with masks and indices, which are in
    units_sse.py."""
    for name in ("vpbroadcastb", "vpbroadcastw", "vpbroadcastd", "vpbroadcastq"):
        yield Vector(f"{name} {{m}}, %ymm{{d}}", "r", {"b": 1, "w": 2, "d": 4, "q": 8}[name[-1]],
                     level="avx2")
    yield Vector("vbroadcasti128 {m}, %ymm{d}", "r", 16, level="avx2")
    yield Vector("vinserti128 $0, {m}, %ymm{s}, %ymm{d}", "r", 16, level="avx2")
    yield Vector("vextracti128 $0, %ymm{d}, {m}", "w", 16, level="avx2")
    yield Vector("vperm2i128 ${i}, {m}, %ymm{s}, %ymm{d}", "r", 32, level="avx2")
    yield Vector("vpermq ${i}, {m}, %ymm{d}", "r", 32, level="avx2")
    yield Vector("vpermd {m}, %ymm{s}, %ymm{d}", "r", 32, level="avx2")
    yield Vector("vpshufb {m}, %ymm{s}, %ymm{d}", "r", 32, level="avx2")
    yield Vector("vpalignr ${i}, {m}, %ymm{s}, %ymm{d}", "r", 32, level="avx2")
    yield Vector("vpblendd ${i}, {m}, %ymm{s}, %ymm{d}", "r", 32, level="avx2")
    for name in ("vpsllvd", "vpsrlvq", "vpsravd"):
        yield Vector(f"{name} {{m}}, %ymm{{s}}, %ymm{{d}}", "r", 32, level="avx2")
    for name in ("vpmovsxbw", "vpmovzxdq"):
        yield Vector(f"{name} {{m}}, %ymm{{d}}", "r", 16, level="avx2")


INTEGERS = (*pairs(), *moves(), *avx(), *avx2())

# These are names of calculations. The letters of a kind, ss, sd, ps or pd, follow them.
ARITHMETIC = ("add", "sub", "mul", "div", "min", "max", "sqrt")
KINDS = {"ss": ("single", 4), "sd": ("double", 8), "ps": ("single", 16), "pd": ("double", 16)}
# These instructions convert vectors to vectors. Each has the kind and the number of bytes that
# it reads.
CONVERSIONS = (("cvtss2sd", "single", 4), ("cvtsd2ss", "double", 8), ("cvtps2pd", "single", 8),
               ("cvtpd2ps", "double", 16), ("cvtps2dq", "single", 16),
               ("cvttps2dq", "single", 16), ("cvtpd2dq", "double", 16),
               ("cvttpd2dq", "double", 16))
# These instructions convert to integers. Each has the register for the result.
TO_INTEGERS = (("cvtss2si", "single", 4, "ecx"), ("cvttss2si", "single", 4, "r9"),
               ("cvtsd2si", "double", 8, "r14"), ("cvttsd2si", "double", 8, "ebx"))
FROM_INTEGERS = (("cvtsi2ssl", 4), ("cvtsi2sdq", 8), ("cvtsi2ssq", 8), ("cvtsi2sdl", 4))
