"""Sizes and shapes of the array jobs, the same as in src/ours/array."""

SIZES = {
    "1e3": 1_000,
    "1e4": 10_000,
    "1e5": 100_000,
    "1e6": 1_000_000,
    "1e7": 10_000_000,
    "1e8": 100_000_000,
}
ROWS = 1000
MATRICES = {
    1_000: (25, 40),
    10_000: (100, 100),
    100_000: (250, 400),
    1_000_000: (1000, 1000),
    10_000_000: (2500, 4000),
    100_000_000: (10_000, 10_000),
}
# Threshold of compaction and of the condition of where.
LIMIT = 0.5
# Maximum number of operations between two finishes.
BATCH = 10
DEEP = 500


def sized(jobs):
    """Return jobs for each size: `jobs` maps names to functions that take a size and return the function to time."""

    def job(prepare, size, timed):
        prepared = []

        def run(count):
            if not prepared:
                prepared.append(prepare(size))
            return timed(prepared[0], count)

        return run

    return lambda timed: {
        f"{name}-{text}": job(prepare, size, timed) for name, prepare in jobs.items() for text, size in SIZES.items()
    }
