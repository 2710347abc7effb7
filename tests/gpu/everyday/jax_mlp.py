"""An MLP trained under jit, as in JAX's own tutorial. Prints its losses."""
import jax
import jax.numpy as jnp


def predict(params, x):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def loss(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)


@jax.jit
def update(params, x, y):
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, jax.grad(loss)(params, x, y))


def main():
    sizes = [512, 2048, 2048, 64]
    keys = jax.random.split(jax.random.key(0), len(sizes))
    params = [(0.02 * jax.random.normal(k, (m, n)), jnp.zeros(n)) for k, m, n in zip(keys, sizes, sizes[1:])]
    x = jax.random.normal(keys[-1], (4096, sizes[0]))
    y = jnp.sin(x[:, :sizes[-1]])
    for step in range(1001):
        params = update(params, x, y)
        if step % 250 == 0:
            print(step, f"{float(loss(params, x, y)):.2f}")


if __name__ == "__main__":
    main()
