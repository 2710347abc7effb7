"""transformers' `generate` on a small language model with weights that are drawn, not loaded. Prints a few of the tokens."""
import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")
import torch
from transformers import GPT2Config, GPT2LMHeadModel


def main():
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(n_layer=8, n_embd=512, n_head=8)).cuda().eval()
    prompt = torch.arange(64, device="cuda").reshape(4, 16)
    for _ in range(8):
        with torch.no_grad():
            tokens = model.generate(prompt, attention_mask=torch.ones_like(prompt), do_sample=False, max_new_tokens=200, pad_token_id=0)
    print(tuple(tokens.shape), tokens[0, 16:20].tolist())


if __name__ == "__main__":
    main()
