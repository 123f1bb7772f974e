import type { Disposable } from '../../base/util/disposable';

/**
 * VS Code redraws a tree at once if no redraw was requested for 200 ms, otherwise only after a pause of that length (`ExtHostTreeView`,
 * `Event.debounce` with a leading edge). It never draws requests that come more often than that.
 */
const APART_MS = 250;
/** Turns of `APART_MS` for which a redraw waits at most while VS Code fetches rows. */
const MOST_HELD = 8;

/**
 * Requests redraws of a tree often enough to be seen and seldom enough to be drawn. The last request is never left out. None is sent while VS Code still
 * fetches rows for an earlier one: where two draw at once, it may give a row the children of another (1.139: its data source of trees shares one
 * batch between their timers), and leaves them there until the whole tree is drawn again.
 */
export class PacedChanges<Row> implements Disposable {
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly rows = new Set<Row>();
  private all = false;
  private disposed = false;
  /** Turns of `APART_MS` until the whole tree may be drawn again. */
  private turnsToRest = 0;
  private isFetched = false;
  private turnsHeld = 0;

  /**
   * @param fire redraws a row; undefined for the whole tree
   * @param rowsAlone if more rows than this changed, the whole tree is drawn
   * @param wholeApart returns for how long the whole tree is left alone once it was drawn, milliseconds, unless something is urgent. VS Code keeps
   * some 300 bytes of each row that was drawn until the view is closed (1.139: `ExtHostTreeView` registers a store for each and never releases it).
   */
  constructor(
    private readonly fire: (row: Row | undefined) => void,
    private readonly rowsAlone = 0,
    private readonly wholeApart: () => number = () => APART_MS,
  ) {}

  /** Requests a redraw of the whole tree that a person waits for. */
  requestNow(): void {
    this.turnsToRest = 0;
    this.request();
  }

  /** Requests a redraw of these rows; of all rows if none are named. */
  request(rows?: readonly Row[]): void {
    if (this.disposed || rows?.length === 0) return;
    if (rows === undefined) this.all = true;
    else for (const row of rows) this.rows.add(row);
    if (this.timer === null) this.redraw();
  }

  /** To be called whenever VS Code fetches rows. */
  fetched(): void {
    this.isFetched = true;
    if (!this.disposed && this.timer === null) this.beginTurn();
  }

  dispose(): void {
    this.disposed = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private redraw(): void {
    const isWhole = this.all || this.rows.size > this.rowsAlone;
    if (!isWhole || this.turnsToRest === 0) {
      const rows = isWhole ? [undefined] : [...this.rows];
      this.all = false;
      this.rows.clear();
      for (const row of rows) this.fire(row);
      if (isWhole) this.turnsToRest = Math.ceil(this.wholeApart() / APART_MS);
    }
    this.beginTurn();
  }

  private beginTurn(): void {
    this.timer = setTimeout(() => this.endTurn(), APART_MS);
  }

  private endTurn(): void {
    this.timer = null;
    this.turnsToRest = Math.max(0, this.turnsToRest - 1);
    const isHeld = this.isFetched && this.turnsHeld < MOST_HELD;
    this.isFetched = false;
    this.turnsHeld = isHeld ? this.turnsHeld + 1 : 0;
    if (isHeld) this.beginTurn();
    else if (this.all || this.rows.size > 0 || this.turnsToRest > 0) this.redraw();
  }
}
