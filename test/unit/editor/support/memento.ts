import type * as vscode from 'vscode';

/** A memory of the editor; `kept` outlives the window. */
export function memento(kept = new Map<string, unknown>()): {
  readonly memory: vscode.Memento;
  readonly kept: Map<string, unknown>;
} {
  const memory = {
    get: (key: string, fallback?: unknown) => kept.get(key) ?? fallback,
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
    keys: () => [...kept.keys()],
  };
  return { memory: memory, kept };
}
