"""Formulas that NumPy and CuPy evaluate with the same operators: functions that return the function to time."""


def plain(operands, size):
    a, b, c = operands(size)
    return lambda: 2 * a + 3 * b - c


def mul_sum(operands, size):
    a, b, _ = operands(size)
    return lambda: (a * b).sum()


def life(np):
    board = ((np.arange(1024 * 1024) * 7919 >> 7) & 1).astype(np.uint8).reshape(1024, 1024)

    def step():
        columns = (slice(None, -2), slice(1, -1), slice(2, None))
        parts = [board[rows, cols] for rows in columns for cols in columns]
        neighbors = sum(parts[:4] + parts[5:])
        return (neighbors == 3) | ((parts[4] == 1) & (neighbors == 2))

    return step


def chain(operands, read):
    a, b, _ = operands(5)

    def add_and_read():
        total = a
        for _ in range(100):
            total = total + b
        return read(total)

    return add_and_read
