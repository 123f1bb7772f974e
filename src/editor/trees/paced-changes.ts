import type { Disposable } from '../../base/util/disposable';

/**
 * VS Code draws a tree anew at once when nothing was asked of it for 200 ms, else when it was left alone for as long
 * (`ExtHostTreeView`, `Event.debounce` with a leading edge): what is asked of it more often than that, it never draws.
 */
const APART_MS = 250;

/** Asks for trees to be drawn anew, often enough to be seen and seldom enough to be drawn. What was asked for last is never left out. */
export class PacedChanges<Row> implements Disposable {
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly rows = new Set<Row>();
  private all = false;
  private disposed = false;
  /** Turns of `APART_MS` before the whole tree may be drawn again. */
  private turnsToRest = 0;

  /**
   * @param fire undefined: the whole tree
   * @param rowsAlone more rows than these are drawn with all others
   * @param wholeApart how long the whole tree is left alone once it was drawn, milliseconds, unless something is urgent. VS Code keeps some
   *   300 bytes of each row that was drawn until the view goes (1.139: `ExtHostTreeView` registers a store for each and never lets it go).
   */
  constructor(
    private readonly fire: (row: Row | undefined) => void,
    private readonly rowsAlone = 0,
    private readonly wholeApart: () => number = () => APART_MS,
  ) {}

  /** The whole tree changed, and somebody waits for it. */
  askNow(): void {
    this.turnsToRest = 0;
    this.ask();
  }

  /** These rows look different; all rows where none are named. */
  ask(rows?: readonly Row[]): void {
    if (this.disposed || rows?.length === 0) return;
    if (rows === undefined) this.all = true;
    else for (const row of rows) this.rows.add(row);
    if (this.timer === null) this.tell();
  }

  dispose(): void {
    this.disposed = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private tell(): void {
    const isWhole = this.all || this.rows.size > this.rowsAlone;
    if (!isWhole || this.turnsToRest === 0) {
      const rows = isWhole ? [undefined] : [...this.rows];
      this.all = false;
      this.rows.clear();
      for (const row of rows) this.fire(row);
      if (isWhole) this.turnsToRest = Math.ceil(this.wholeApart() / APART_MS);
    }
    this.timer = setTimeout(() => {
      this.timer = null;
      this.turnsToRest = Math.max(0, this.turnsToRest - 1);
      if (this.all || this.rows.size > 0 || this.turnsToRest > 0) this.tell();
    }, APART_MS);
  }
}
