"""Generates kernels/library/special/coefficients.ts: python3 special-coefficients.py > coefficients.ts

Each polynomial is a truncated Chebyshev series, converted to powers of t in [-1, 1]. Requires mpmath."""
import mpmath as mp
import numpy as np

mp.mp.dps = 40


def chebyshev(f, count):
    """Return the first Chebyshev coefficients of f on [-1, 1], from its values at the Chebyshev nodes."""
    angles = [mp.pi * (k + mp.mpf(1) / 2) / count for k in range(count)]
    values = [f(mp.cos(a)) for a in angles]
    result = [2 * mp.fsum(v * mp.cos(n * a) for v, a in zip(values, angles)) / count for n in range(count)]
    result[0] /= 2
    return result


def powers(series):
    """Convert a Chebyshev series to power-series coefficients, constant term first."""
    n = len(series)
    total = [mp.mpf(0)] * n
    last, now = [mp.mpf(0)] * n, [mp.mpf(0)] * n
    last[0] = mp.mpf(1)
    for k, c in enumerate(series):
        if k == 1:
            now[1] = mp.mpf(1)
        if k > 1:
            nxt = [-x for x in last]
            for i in range(n - 1):
                nxt[i + 1] += 2 * now[i]
            last, now = now, nxt
        use = last if k == 0 else now
        for i in range(n):
            total[i] += c * use[i]
    return total


def digits(values, kind):
    """Format numbers rounded to a type."""
    rounded = (kind(float(value)) for value in values)
    return ", ".join(repr(float(value)) if kind is np.float64 else str(value) for value in rounded)


def entry(name, floats, doubles):
    print(f"  {name}: {{ float: [{digits(floats, np.float32)}], double: [{digits(doubles, np.float64)}] }},")


def add(name, f, count=60):
    """Print polynomials that approximate f on [-1, 1] in single and double precision."""
    series = chebyshev(f, count)
    scale = max(abs(c) for c in series)
    cut = []
    for tolerance in (mp.mpf(2) ** -27, mp.mpf(2) ** -56):
        last = max(k for k, c in enumerate(series) if abs(c) > tolerance * scale)
        if last > count - 6:
            raise ValueError(f"{name} needs more nodes")
        cut.append(powers(series[: last + 1]))
    entry(name, *cut)


def table(name, values):
    values = list(values)
    entry(name, values, values)


def on(a, b, f):
    """Map f on [a, b] to a function of t in [-1, 1]."""
    a, b = mp.mpf(a), mp.mpf(b)
    return lambda t: f((a + b) / 2 + (b - a) / 2 * t)


def ratio(k, f):
    """Map f on [0, infinity) to a function of t = (x - k) / (x + k)."""
    return lambda t: f(k * (1 + t) / (1 - t))


def erfcx(x):
    if x > 1e8:
        return 1 / (x * mp.sqrt(mp.pi))
    mp.mp.dps = 60
    v = mp.exp(x * x) * mp.erfc(x) if x < 50 else mp.hyperu(0.5, 0.5, x * x) / mp.sqrt(mp.pi)
    mp.mp.dps = 40
    return v


print("""/** Polynomials of special functions: powers of t from -1 to 1, the constant first. scripts/special-coefficients.py computes them. */

/** The coefficients for both floating-point types. */
export interface Coefficients {
  readonly float: readonly number[];
  readonly double: readonly number[];
}

export const coefficients: Readonly<Record<string, Coefficients>> = {""")

add("erfcx", ratio(mp.mpf(3), lambda x: (1 + 2 * x) * erfcx(x)))
add("erf", on(0, 1, lambda y: mp.erf(mp.sqrt(y)) / mp.sqrt(y)))
add("rgamma", on(1, 2, mp.rgamma))
add("gammaln1", on(1, 2, lambda x: mp.loggamma(x) / ((x - 1) * (x - 2))))
add("gammaln2", on(2, 3, lambda x: mp.loggamma(x) / ((x - 1) * (x - 2))))
x0 = mp.findroot(mp.digamma, 1.46)
add("digamma", on(1, 2, lambda x: mp.digamma(x) / (x - x0)))
# Bessel functions: in y = x * x up to 64; beyond, the asymptotic P and Q in u = (8 / x) ** 2.
add("j0", on(0, 64, lambda y: mp.besselj(0, mp.sqrt(y))))
add("j1", on(0, 64, lambda y: mp.besselj(1, mp.sqrt(y)) / mp.sqrt(y)))
add("y0", on(0, 64, lambda y: mp.bessely(0, mp.sqrt(y)) - mp.log(y) / mp.pi * mp.besselj(0, mp.sqrt(y))))


def y1_rest(x):
    return (mp.bessely(1, x) - 2 * mp.log(x) / mp.pi * mp.besselj(1, x) + 2 / (mp.pi * x)) / x


add("y1", on(0, 64, lambda y: y1_rest(mp.sqrt(y))))


def modulus(n, part):
    def f(u):
        x = 8 / mp.sqrt(u)
        # sqrt(pi x / 2) (J + i Y) = (P + i Q) exp(i (x - n pi/2 - pi/4))
        h = mp.hankel1(n, x) * mp.sqrt(mp.pi * x / 2) * mp.expj(-(x - n * mp.pi / 2 - mp.pi / 4))
        return h.real if part == 0 else h.imag * x
    return f


for n in (0, 1):
    add(f"p{n}", on(0, 1, modulus(n, 0)), 40)
    add(f"q{n}", on(0, 1, modulus(n, 1)), 40)
for n in (0, 1):
    add(f"i{n}", on(0, 8, lambda x: mp.exp(-x) * mp.besseli(n, x) / x**n))
    add(f"i{n}far", on(0, mp.mpf(1) / 8, lambda u: mp.exp(-1 / u) * mp.besseli(n, 1 / u) / mp.sqrt(u)))
add("k0", on(0, 4, lambda y: mp.besselk(0, mp.sqrt(y)) + mp.log(mp.sqrt(y) / 2) * mp.besseli(0, mp.sqrt(y))))


def k1_rest(x):
    return (mp.besselk(1, x) - mp.log(x / 2) * mp.besseli(1, x) - 1 / x) / x


add("k1", on(0, 4, lambda y: k1_rest(mp.sqrt(y))))
for n in (0, 1):
    add(f"k{n}far", on(0, mp.mpf(1) / 2, lambda u: mp.exp(1 / u) * mp.besselk(n, 1 / u) / mp.sqrt(u)))


def dawson(x):
    if x < 40:
        return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)
    total = term = mp.mpf(1)
    for k in range(1, 20):
        term *= (2 * k - 1) / (2 * x * x)
        total += term
    return total / (2 * x)


near = lambda y: dawson(mp.sqrt(y)) / mp.sqrt(y)
add("dawsn1", on(0, 9, near))
add("dawsn2", on(9, 25, near))
add("dawsn3", on(0, mp.mpf(1) / 25, lambda u: dawson(1 / mp.sqrt(u)) / mp.sqrt(u)))


def erfcinv(q):
    # Newton's method on log(erfc(x)), which is nearly a parabola.
    x = mp.erfinv(1 - q) if q > 0.01 else mp.sqrt(-mp.log(q) - mp.log(mp.pi * -mp.log(q)) / 2)
    for _ in range(60):
        e = mp.erfc(x)
        d = (mp.log(e) - mp.log(q)) * e / (-2 / mp.sqrt(mp.pi) * mp.exp(-x * x))
        x -= d
        if abs(d) < mp.mpf(10) ** -36:
            break
    return x


add("erfinv", on(0, 0.8125, lambda y: mp.erfinv(mp.sqrt(y)) / mp.sqrt(y)), 80)
s0 = mp.sqrt(-mp.log(mp.mpf(1) / 8))
tail = lambda s: erfcinv(mp.exp(-s * s)) / s
add("erfcinv1", on(1.375, 3, tail), 40)
add("erfcinv2", on(3, 8, tail), 40)
add("erfcinv3", on(8, 28, tail), 40)
I = mp.mpc(0, 1)


def auxiliary(part):
    def f(u):
        x = 1 / mp.sqrt(u)
        e = mp.exp(I * x) * mp.e1(I * x)
        return -e.imag * x if part == 0 else e.real * x * x
    return f


add("si", on(0, 64, lambda y: mp.si(mp.sqrt(y)) / mp.sqrt(y)))
add("cin", on(0, 64, lambda y: (mp.ci(mp.sqrt(y)) - mp.euler - mp.log(y) / 2) / y))
add("sif", on(0, mp.mpf(1) / 64, auxiliary(0)))
add("sig", on(0, mp.mpf(1) / 64, auxiliary(1)))
add("e1near", on(0, 2, lambda x: (mp.e1(x) + mp.log(x) + mp.euler) / x))
add("e1far", on(0, mp.mpf(1) / 2, lambda u: mp.exp(1 / u) * mp.e1(1 / u) / u))
add("ei1", on(0, 6, lambda x: (mp.ei(x) - mp.log(x) - mp.euler) / x))
add("ei2", on(6, 12, lambda x: mp.exp(-x) * mp.ei(x) * x))
add("ei3", on(12, 24, lambda x: mp.exp(-x) * mp.ei(x) * x))
add("ei4", on(0, mp.mpf(1) / 24, lambda u: mp.exp(-1 / u) * mp.ei(1 / u) / u))
# Airy functions at the centers of the pieces: Ai, Ai', Bi and Bi' at -9, -8 ... 9.
table("airy", [f(c, derivative=d) for c in range(-9, 10) for f in (mp.airyai, mp.airybi) for d in (0, 1)])
# exp(-t * t) at multiples of 0.24, and the same on the line rotated by -30 degrees (real and imaginary parts).
table("gauss", [mp.exp(-(k * mp.mpf("0.24")) ** 2) for k in range(27)])
rotated = [mp.exp(-(k * mp.mpf("0.24")) ** 2 * mp.expj(-mp.pi / 3)) for k in range(38)]
table("turned", [v for w in rotated for v in (w.real, w.imag)])
table("zeta", [mp.bernoulli(2 * k) / mp.factorial(2 * k) for k in range(1, 13)])
table("faddeeva1", [mp.exp(-((k + mp.mpf(1) / 2) ** 2) * mp.pi / 12) for k in range(12)])
table("faddeeva0", [mp.exp(-(k ** 2) * mp.pi / 12) for k in range(12)])
print("};")
