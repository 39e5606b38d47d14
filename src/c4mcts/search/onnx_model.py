"""A PolicyValueNetwork in the ONNX format, for boards of one size: `_pure/features.py` and `network.py`, by matrices.

In the comments: B positions, W columns, C cells in the order of the planes, L lines. Up to the exponentials all numbers
are integers below 2**24, which single precision holds exactly.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .._backend import load as load_backend
from .._layout import COLUMN_ROWS, EXP_BITS, EXP_SIZE, HIDDEN, MAX_NUMBER, UNIT_BITS
from .._named import installed_by
from ..rules import Rules

OPSET, IR_VERSION = 18, 9  # of 2023
FLOAT, INT = 1, 7  # what ONNX calls float32 and int64
STATES = 256  # of the four cells of a line
TOP = float(MAX_NUMBER)

Array = npt.NDArray[Any]


class Graph:
    """The nodes and constants of a model. A call adds a node, and returns the name of its output."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def __call__(self, operator: str, *inputs: str | float | list[int] | Array, **attributes: Any) -> str:
        """Inputs are names, or constants: lists of int64, anything else of float32."""
        from onnx import helper, numpy_helper

        names = []
        for value in inputs:
            if not isinstance(value, str):
                array = np.array(value, np.int64 if isinstance(value, list) else np.float32)
                value = f"constant_{len(self.constants)}"
                self.constants.append(numpy_helper.from_array(array, value))
            names.append(value)
        self.nodes.append(helper.make_node(operator, names, [f"{operator}_{len(self.nodes)}"], **attributes))
        return str(self.nodes[-1].output[0])


def model_of(weights: Mapping[str, Array], rules: Rules) -> bytes:
    """The model: planes (B, 2, height, width) in; logits (B, W) and values (B, 1) out. ModuleNotFoundError."""
    with installed_by("onnx"):
        from onnx import helper
    add = Graph()
    outputs = _outputs(add, weights, _features(add, rules))
    for output, name in zip(outputs, ("logits", "values"), strict=True):
        add.nodes.append(helper.make_node("Identity", [output], [name]))
    shapes = {"planes": ["B", 2, rules.height, rules.width], "logits": ["B", rules.width], "values": ["B", 1]}
    planes, *results = [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in shapes.items()]
    graph = helper.make_graph(add.nodes, "PolicyValueNetwork", [planes], results, add.constants)
    opset = helper.make_opsetid("", OPSET)
    model: bytes = helper.make_model(graph, ir_version=IR_VERSION, opset_imports=[opset]).SerializeToString()
    return model


def _features(add: Graph, rules: Rules) -> list[str]:
    """The inputs of the network, from planes.

    Rows of lines, (B, L), and of columns, (B, W), in their tables; which columns are full, (B, W); 1 for the lines
    through the cells to be played, and for the lines through the cells above, (B, W, L).
    """
    width, height = rules.width, rules.height
    index = load_backend("pure").features.LineIndex(rules)
    lines, places = np.zeros((2, rules.cells, index.count))  # (C, L): 1 for the cells of a line; their weights in a row
    for i, cell in enumerate(index.cells):
        at = (height - 1 - cell % height) * width + cell // height
        lines[at, i // 4], places[at, i // 4] = 1, 4 ** (i % 4)
    kinds, columns = np.array(index.kinds, int), np.tile(np.eye(width), (height, 1))  # (C, W)

    discs = add("Reshape", "planes", [0, 2, -1])
    filled = add("MatMul", add("ReduceSum", discs, [1]), columns)  # (B, 1, W)
    turn = add("Mod", add("ReduceSum", filled, [2]), 2.0, fmod=1)
    levels = np.repeat(np.arange(height, 0, -1), width)
    waits = add("Sub", levels, add("MatMul", filled, columns.T))  # (B, 1, C): 1 at cells to be played, discs below
    counts = add("MatMul", discs, lines)  # (B, 2, L)
    states = add("MatMul", add("Clip", waits, 0.0, 3.0), places)
    whose = add("MatMul", STATES * np.array([[1, 2]]), add("Clip", counts, 0.0, 1.0))
    parity = add("Mul", turn, 4 * STATES * (1 - 2 * (kinds & 1)))
    line_rows = add("Sum", states, whose, parity, 4 * STATES * kinds)

    third = add("Cast", add("Equal", counts, 3.0), to=FLOAT)
    threats = add("Clip", add("MatMul", third, lines.T), 0.0, 1.0)  # (B, 2, C)
    window = add("Gather", np.array([0, 1, 2, 4, 8, 16, 0]), add("Cast", add("Clip", waits, 0.0, 6.0), to=INT))
    seen = add("MatMul", np.array([[32, 1]]), add("MatMul", add("Mul", threats, window), columns))
    parity = add("Mod", add("Sum", filled, turn, float(index.parity)), 2.0, fmod=1)
    is_full = add("Equal", filled, float(height))
    column_rows = add("Where", is_full, float(COLUMN_ROWS), add("Sum", seen, add("Mul", parity, COLUMN_ROWS / 2)))

    rows = [add("Cast", add("Reshape", each, [0, -1]), to=INT) for each in (line_rows, column_rows)]
    here = [add("Cast", add("Equal", waits, number), to=FLOAT) for number in (1.0, 2.0)]
    through = [add("MatMul", add("Mul", cell, columns.T), lines) for cell in here]
    return [*rows, add("Reshape", is_full, [0, -1]), *through]


def _outputs(add: Graph, weights: Mapping[str, Array], features: list[str]) -> list[str]:
    """Logits and values."""
    line_rows, column_rows, is_full, through, above = features
    lines, moves_through, moves_above = (_by_line(weights[name]) for name in ("lines", "through", "above"))
    lines[:, 0] = 0  # a line without discs says nothing of the position
    columns, landing = (np.pad(weights[name], ((0, 1), (0, 0))) for name in ("columns", "landing"))
    position = [add("Gather", lines.reshape(-1, 2 * HIDDEN), line_rows), add("Gather", columns, column_rows)]
    sums = add("Sum", *(add("ReduceSum", rows, [1]) for rows in position), weights["bias"])  # (B, 1, 2 * HIDDEN)

    value = add("Add", _output(add, weights, "value", add("Slice", sums, [0], [HIDDEN], [2])), weights["value_bias"])
    value = add("Mul", _exponent(add, add("Abs", value)), add("Sign", value))
    values = add("Tanh", add("Reshape", add("Mul", value, 0.5), [-1, 1]))  # 2 / (1 + e**-x) - 1 = tanh(x / 2)

    context = add("Slice", sums, [HIDDEN], [2 * HIDDEN], [2])
    moves = [context, add("Gather", landing, column_rows)]
    for table, cell in ((moves_through, through), (moves_above, above)):
        moves.append(add("MatMul", cell, add("Gather", table.reshape(-1, HIDDEN), line_rows)))
    logits = add("Reshape", _output(add, weights, "move", add("Sum", *moves)), [0, -1])
    logits = add("Where", is_full, -(2.0**24), logits)
    gaps = add("Sub", add("ReduceMax", logits, [1]), logits)
    return [add("Neg", _exponent(add, gaps)), values]


def _output(add: Graph, weights: Mapping[str, Array], name: str, sums: str) -> str:
    """The output of the layers after the first, of the value or of the moves: (B, 1 or W, 1)."""
    numbers = add("Clip", sums, 0.0, TOP)
    total = add("Add", add("MatMul", numbers, weights[f"{name}_second"].T), weights[f"{name}_second_bias"])
    second = add("Clip", add("Floor", add("Mul", total, 0.5**UNIT_BITS)), 0.0, TOP)
    return add("MatMul", second, weights[name][:, None])


def _exponent(add: Graph, steps: str) -> str:
    """The exponent that the table of exponentials has for a sum in steps of 2**-12."""
    index = add("Clip", add("Floor", add("Mul", steps, 0.5**EXP_BITS)), 0.0, EXP_SIZE - 1.0)
    return add("Mul", index, 2.0**EXP_BITS / 2**12)


def _by_line(table: Array) -> Array:
    """A table by kind of line, whose discs it holds, and states; with rows of 0 for lines with discs of both."""
    by_whose = table.reshape(-1, 3, STATES, table.shape[1])
    return np.pad(by_whose, ((0, 0), (0, 1), (0, 0), (0, 0)))
