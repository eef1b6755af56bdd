"""Small nets in ONNX, as other programs make them: policy nets, and other models."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT


def weights_of(side, seed=0):
    """Return a convolution of 3 x 3 cells over two planes, and a bias for each cell."""
    generator = np.random.default_rng(seed)
    taps = generator.normal(0, 1, (1, 2, 3, 3)).astype(np.float32)
    return taps, generator.normal(0, 1, side * side).astype(np.float32)


def model(nodes, weights, inputs, outputs):
    """Return an ONNX model; inputs and outputs are names with a shape, or with [type, shape]."""
    told = []
    for values in (inputs, outputs):
        typed = [
            (name, *each) if isinstance(each, list) else (name, FLOAT, each)
            for name, each in values.items()
        ]
        told.append([helper.make_tensor_value_info(*each) for each in typed])
    arrays = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "net", *told, arrays)
    versions = [helper.make_opsetid("", 17), helper.make_opsetid("com.example", 1)]
    return helper.make_model(graph, opset_imports=versions, ir_version=8)


def policy_model(side, seed=0, *, batch=1, add=None):
    """Return a policy net of one layer for boards of one size.

    `add` is added to each logit.
    """
    taps, bias = weights_of(side, seed)
    nodes = [
        helper.make_node("Conv", ["planes", "taps"], ["cells"]),
        helper.make_node("Reshape", ["cells", "flat"], ["row"]),
        helper.make_node("Add", ["row", "bias"], ["logits"]),
    ]
    bias = bias if add is None else bias + np.float32(add)
    weights = {"taps": taps, "bias": bias, "flat": np.array([-1, side * side])}
    shape = (batch, 2, side + 2, side + 2)
    return model(nodes, weights, {"planes": shape}, {"logits": (batch, side * side)})


def policy_file(path: Path, side, seed=0, **more) -> Path:
    """Write a policy net, and return its path."""
    onnx.save(policy_model(side, seed, **more), path)
    return path
