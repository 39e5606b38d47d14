"""A PyTorch module as the evaluator of a search.

python examples/evaluator_torch.py
"""

import torch
from torch import nn

from c4mcts import Board, Engine, PuctParams
from c4mcts.evaluators import TorchEvaluator


class Network(nn.Module):
    """Planes (B, 2, height, width) in; logits (B, width) and values (B,) in [-1, 1] out."""

    def __init__(self, width=7, height=6, channels=32):
        super().__init__()
        self.body = nn.Sequential(
            *(nn.Conv2d(2, channels, 3, padding=1), nn.ReLU()),
            *(nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU()),
            *(nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU()),
            nn.Flatten(),
            *(nn.Linear(channels * height * width, 64), nn.ReLU()),
        )
        self.policy = nn.Linear(64, width)
        self.value = nn.Linear(64, 1)

    def forward(self, planes):
        features = self.body(planes)
        return self.policy(features), torch.tanh(self.value(features)).squeeze(1)


def main():
    torch.manual_seed(1)
    params = PuctParams()
    engine = Engine(params, seed=1, evaluator=TorchEvaluator(Network()))  # an untrained network; alphazero trains one
    print(engine.search(Board.from_pons("4453"), simulations=800))


if __name__ == "__main__":
    main()
