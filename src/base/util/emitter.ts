import type { Disposable } from './disposable';

/** Listeners of one kind of event. A listener that throws does not keep the others from receiving it. */
export class Emitter<T> {
  private readonly listeners = new Set<(value: T) => void>();

  constructor(private readonly onError: (error: unknown) => void = () => {}) {}

  readonly event = (listener: (value: T) => void): Disposable => {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of this.listeners) {
      try {
        listener(value);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
