"""Inference with a small convolutional network whose step is a CUDA graph, and training steps without. Prints what came out."""
import torch


def main():
    torch.manual_seed(0)
    torch.backends.cudnn.deterministic = True
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 32, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(32, 64, 3, padding=1), torch.nn.ReLU(),
                                torch.nn.AdaptiveAvgPool2d(8), torch.nn.Flatten(), torch.nn.Linear(4096, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10)).cuda()
    x, y = torch.randn(64, 3, 64, 64, device="cuda"), torch.randint(10, (64,), device="cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(200):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    print(f"{loss.item():.2f}")
    model.eval()
    side = torch.cuda.Stream()
    with torch.no_grad(), torch.cuda.stream(side):
        for _ in range(3):
            model(x)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.no_grad(), torch.cuda.graph(graph):
        out = model(x)
    for _ in range(2000):
        graph.replay()
    print(out.argmax(1).bincount(minlength=10).tolist() == model(x).argmax(1).bincount(minlength=10).tolist())


if __name__ == "__main__":
    main()
