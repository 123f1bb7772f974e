/** Something that holds a resource until it is disposed. */
export interface Disposable {
  dispose(): void;
}

/** Owns disposables. An item that is added after the end is disposed at once, so that nothing started late leaks. */
export class DisposableStore implements Disposable {
  private readonly items = new Set<Disposable>();
  private ended = false;

  add<T extends Disposable>(item: T): T {
    if (this.ended) item.dispose();
    else this.items.add(item);
    return item;
  }

  dispose(): void {
    if (this.ended) return;
    this.ended = true;
    for (const item of [...this.items].reverse()) item.dispose();
    this.items.clear();
  }
}
