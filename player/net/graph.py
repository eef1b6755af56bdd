"""The net as a graph of ONNX, for boards of one size: what `player/net/forward` defines.

It takes `planes`, 1 x 2 x rows + 2 x columns + 2, and makes `cells`, 1 x 2 x rows x columns,
with the logits of the policy and of the owners, and `value`, 1 x 1 x 1 x 1, that of the value.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from player.net.weights import Net

WHOLE = "whole"  # begins the names of nodes that tell of the whole board, not of its cells
OPERATORS, FORMAT = 17, 8  # versions of ONNX that each onnxruntime of these years reads

Planes = NDArray[np.float32]


def graph_of(net: Net, rows: int, columns: int) -> Any:
    """Return the graph, as a model of ONNX."""
    return _Graph(net).model(rows, columns)


class _Graph:
    """Nodes and weights of a graph under way. It holds state."""

    def __init__(self, net: Net) -> None:
        self._parts, self._blocks = net.parts(), net.blocks
        self._nodes: list[Any] = []
        self._weights: list[Any] = []

    def model(self, rows: int, columns: int) -> Any:
        """Write the whole net, and return it."""
        parts = self._parts
        trunk = self._node("Relu", self._convolved("planes", "stem"))
        for block in range(self._blocks):
            hidden = self._convolved(trunk, f"{block}_first", padding=1)
            if f"{block}_pool" in parts:
                more = self._mixed(self._pooled(trunk), parts[f"{block}_pool"])
                hidden = self._node("Add", hidden, more)
            hidden = self._convolved(self._node("Relu", hidden), f"{block}_second", padding=1)
            trunk = self._node("Add", trunk, hidden)
        trunk = self._node("Relu", trunk)
        head = self._node("Relu", self._mixed(trunk, parts["head"], parts["head_bias"]))
        answers = np.concatenate([parts["policy"], parts["owner"]])
        bias = np.concatenate([np.zeros(1, np.float32), parts["owner_bias"]])
        self._mixed(head, answers, bias, into="cells")
        pooled = self._pooled(trunk)
        known = self._mixed(pooled, parts["value_hidden"], parts["value_hidden_bias"])
        self._mixed(self._node("Relu", known), parts["value"], parts["value_bias"], into="value")
        shapes = {
            "planes": (1, 2, rows + 2, columns + 2),
            "cells": (1, 2, rows, columns),
            "value": (1, 1, 1, 1),
        }
        planes, *outputs = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
            for name, shape in shapes.items()
        ]
        graph = helper.make_graph(self._nodes, "net", [planes], outputs, self._weights)
        versions = [helper.make_opsetid("", OPERATORS)]
        return helper.make_model(graph, opset_imports=versions, ir_version=FORMAT)

    def _convolved(self, planes: str, name: str, padding: int = 0) -> str:
        """Add a convolution of 3 x 3 cells by the weights of that name."""
        taps, bias = self._parts[name], self._parts[f"{name}_bias"]
        shaped = taps.reshape(len(taps), 3, 3, taps.shape[2]).transpose(0, 3, 1, 2)
        inputs = planes, self._weight(shaped), self._weight(bias)
        return self._node("Conv", *inputs, kernel_shape=[3, 3], pads=4 * [padding])

    def _mixed(
        self, planes: str, weights: Planes, bias: Planes | None = None, into: str | None = None
    ) -> str:
        """Add weighed sums of planes at the same place."""
        inputs = [planes, self._weight(weights[:, :, None, None])]
        inputs += [] if bias is None else [self._weight(bias)]
        return self._node("Conv", *inputs, into=into, kernel_shape=[1, 1])

    def _pooled(self, planes: str) -> str:
        """Add the mean of each plane, then the largest number of each."""
        mean, largest = (self._node(f"Global{kind}Pool", planes) for kind in ("Average", "Max"))
        return self._node("Concat", mean, largest, axis=1)

    def _node(self, kind: str, *inputs: str, into: str | None = None, **attributes: Any) -> str:
        is_whole = kind.startswith("Global") or inputs[0].startswith(WHOLE)
        name = f"{WHOLE if is_whole else 'cells'}-{len(self._nodes)}"
        output = name if into is None else into
        self._nodes.append(helper.make_node(kind, inputs, [output], name, **attributes))
        return output

    def _weight(self, values: Planes) -> str:
        name = f"weight{len(self._weights)}"
        self._weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name
