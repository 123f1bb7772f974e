import * as vscode from 'vscode';
import { whole } from '../../base/util/counts';
import { type AgentView, type Machine, needsPerson, standingOf } from '../../core/model';
import { gatesInShort, machineInShort, type Surface, type Watch } from '../../core/words';
import { type HoverLine, Tree, type TreeRow, type TreeRows } from '../voice';
import type { Workplace } from '../workplaces';
import {
  type AgentNode,
  deliveryRow,
  gatesRow,
  incidentRow,
  type MachineNode,
  noteRow,
  sessionHover,
  type SessionNode,
  sessionRow,
  type Surroundings,
} from './agent-rows';
import { DrawnRows } from './drawn-rows';
import { machineFacts, type MachineGroup, machineGroups, machineRow } from './machine-rows';
import type { Note } from './notes';
import { PacedChanges } from './paced-changes';
import type { Roster } from './roster';
import { lookOf, rowDescription, sentenceOf } from './row-words';

const AGE_STEP_MS = 10_000;
/** The same for the many rows that need no attention. */
const QUIET_AGE_STEP_MS = 60_000;
/** VS Code needs about 0.1 s to draw one row and no longer for the whole list, so more rows than this redraw the list. */
const ROWS_ALONE = 5;
/** Pause after the whole list was drawn, for each of its rows and at most, milliseconds: ten rows every 0.8 s. */
const REST_PER_ROW_MS = 80;
const LONGEST_REST_MS = 4_000;
/** Rows at first: each row makes drawing the list slower, and agents that need a person stand on top. */
const FIRST_ROWS = 50;
const MORE_ROWS = 200;
/** Rows whose age is checked in one turn of the event loop. */
const ROWS_A_TURN = 50;

export interface AgentsSource {
  /** Sessions to show, in no order. */
  readonly roster: Roster;
  /** Other machines, in no order. */
  machines(): readonly Machine[];
  /** Lines that stand below the agents, for example how many sessions of other folders there are. */
  lines(): readonly Note[];
  now(): number;
  /** The message whose effect is watched; null where none is. */
  watchOf(view: AgentView): Watch | undefined;
  /** True where a connection hands messages to this agent. */
  isConnected(view: AgentView): boolean;
  /** The part of this window in which it runs; null for none. */
  surfaceOf(view: AgentView): Surface | null;
  /** The part of its folder that differs from the others in the list; empty where all work in one place. */
  placeName(view: AgentView): string;
  /** The whole place where it works, for the tooltip. */
  placeOf(view: AgentView): Workplace | undefined;
}

/** The view *Agents*: one row a session, the ones that need you first. */
export class AgentsView implements TreeRows<AgentNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<AgentNode | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly changes = new PacedChanges<AgentNode>(
    (row) => this.changed.fire(row),
    ROWS_ALONE,
    () => Math.min(LONGEST_REST_MS, this.order.length * REST_PER_ROW_MS),
  );
  readonly tree: Tree<AgentNode>;
  /** The sessions that were drawn last with their sub-agents, in order, and how many are listed. */
  private order: readonly string[] = [];
  /** Sessions that need a person, in order, as they were drawn last. */
  private top = '';
  private rows = FIRST_ROWS;
  /** Rows of sessions, by session. */
  private readonly drawn = new DrawnRows<SessionNode>();
  /** Rows of machines, by name. */
  private readonly drawnMachines = new DrawnRows<MachineNode>();

  constructor(private readonly source: AgentsSource) {
    this.tree = new Tree<AgentNode>('unstuck.agents', this);
  }

  /** Redraws what changed: single rows while the order holds, else the whole list; at once where the agents that need a person changed. */
  refresh(sessions?: readonly string[]): void {
    const { roster } = this.source;
    if (sessions && sameOrder(this.order, this.orderNow())) {
      this.changes.ask([...sessions.flatMap((session) => this.rowToDraw(session) ?? []), ...this.machinesToDraw()]);
    } else if (topOf(roster.list) === this.top) this.changes.ask();
    else this.changes.askNow();
  }

  /** Redraws rows whose age changed, some in each turn of the event loop. */
  async refreshAges(breathe: () => Promise<void>): Promise<void> {
    const { list } = this.source.roster;
    const rows: AgentNode[] = this.machinesToDraw();
    for (let at = 0; at < Math.min(list.length, this.rows); at++) {
      if (at % ROWS_A_TURN === ROWS_A_TURN - 1) await breathe();
      const session = list[at]?.session;
      const row = session === undefined ? undefined : this.rowToDraw(session);
      if (row) rows.push(row);
    }
    this.changes.ask(rows);
  }

  /** Returns the row of a session, if it no longer looks as it was drawn. */
  private rowToDraw(session: string): AgentNode | undefined {
    const view = this.source.roster.get(session);
    return view && this.drawn.update(session, { kind: 'agent', view }, () => this.lookOfRow(view));
  }

  /** Returns the rows of machines that no longer look as they were drawn. */
  private machinesToDraw(): AgentNode[] {
    return this.groups().flatMap((group): AgentNode[] => {
      const node: MachineNode = { kind: 'machine', ...group };
      const row = this.drawnMachines.update(group.machine.name, node, () => this.lookOfMachine(group));
      return row ? [row] : [];
    });
  }

  private groups(): readonly MachineGroup[] {
    const { list } = this.source.roster;
    return machineGroups(
      this.source.machines(),
      list.filter((view) => view.machine && this.isRoot(view)),
    );
  }

  private lookOfMachine(group: MachineGroup): string {
    const now = Math.floor(this.source.now() / AGE_STEP_MS) * AGE_STEP_MS;
    return machineInShort(machineFacts(group), now);
  }

  private drawMachine(group: MachineGroup): MachineNode {
    return this.drawnMachines.draw(group.machine.name, { kind: 'machine', ...group }, this.lookOfMachine(group));
  }

  /** Everything that a row and its children show. The tooltip is made when the pointer rests on the row. */
  private lookOfRow(view: AgentView): string {
    // An age redraws its row every 10 s, not each second as in the panel: a redraw takes away the button under the pointer.
    const step = isQuiet(view) ? QUIET_AGE_STEP_MS : AGE_STEP_MS;
    const now = Math.floor(this.source.now() / step) * step;
    const { icon, tone } = lookOf(view, now);
    const children = [
      ...view.incidents.map((incident) => `${incident.id}${incident.count}${incident.state}${incident.level}`),
      ...view.deliveries.map((delivery) => `${delivery.message.id}${delivery.state}${this.source.isConnected(view)}`),
      ...(view.gates ? [`${view.gates.startedAt}${gatesInShort(view.gates)}`] : []),
      ...this.source.roster.familyOf(view.session).map((one) => one.session),
    ];
    const place = this.source.placeName(view);
    const here = String(this.source.surfaceOf(view));
    return [view.title, rowDescription(view, now, place), icon, tone, here, ...children].join('|');
  }

  getChildren(node?: AgentNode): AgentNode[] {
    if (!node) return this.roots();
    if (node.kind === 'machine') return this.rowsOf(node.views, `more/${node.machine.name}`);
    if (node.kind !== 'agent') return [];
    const { view } = node;
    const incidents = view.incidents.map((incident): AgentNode => ({ kind: 'incident', view, incident }));
    const nudges = view.deliveries.filter(({ message }) => message.kind === 'nudge');
    const deliveries = view.deliveries.slice(-3).map((delivery): AgentNode => {
      return { kind: 'delivery', view, delivery, number: nudges.indexOf(delivery) + 1 };
    });
    const children = this.source.roster.familyOf(view.session);
    const gates: AgentNode[] = view.gates ? [{ kind: 'gates', view, report: view.gates }] : [];
    return [...incidents, ...deliveries, ...gates, ...children.map((one) => this.draw(one))];
  }

  getParent(node: AgentNode): AgentNode | undefined {
    if (node.kind === 'note' || node.kind === 'machine') return undefined;
    const { view } = node;
    const parent = node.kind === 'agent' ? view.parent : view.session;
    const row = parent === undefined ? undefined : this.drawn.node(parent);
    return row ?? (view.machine && this.drawnMachines.node(view.machine.name));
  }

  row(node: AgentNode): TreeRow {
    const now = this.source.now();
    switch (node.kind) {
      case 'agent':
        return sessionRow(node.view, this.surroundings(node.view), now);
      case 'incident':
        return incidentRow(node.view, node.incident, now);
      case 'delivery':
        return deliveryRow(node.view, node.delivery, node.number, this.source.isConnected(node.view));
      case 'gates':
        return gatesRow(node.view, node.report, now);
      case 'machine':
        return machineRow(node, now);
      case 'note':
        return noteRow(node);
    }
  }

  private surroundings(view: AgentView): Surroundings {
    const hasChildren =
      view.incidents.length > 0 ||
      view.deliveries.length > 0 ||
      view.gates !== undefined ||
      this.source.roster.familyOf(view.session).length > 0;
    return { place: this.source.placeName(view), surface: this.source.surfaceOf(view), hasChildren };
  }

  /** The tooltip is made when the pointer rests on a row: its ages would be old by then. */
  hover(node: AgentNode): readonly HoverLine[] | undefined {
    if (node.kind !== 'agent') return undefined;
    const { view } = node;
    const now = this.source.now();
    const sentence = sentenceOf(view, now, this.source.watchOf(view));
    return sessionHover(view, sentence, this.source.placeOf(view), now);
  }

  /** Selects the row of a session without taking the focus. */
  async reveal(session: string): Promise<void> {
    const node = this.drawn.node(session);
    if (node) await this.tree.reveal(node);
  }

  dispose(): void {
    this.tree.dispose();
    this.changes.dispose();
    this.changed.dispose();
  }

  /** Shows more rows. */
  showMore(): void {
    this.rows += MORE_ROWS;
    this.changes.askNow();
  }

  private roots(): AgentNode[] {
    const { list } = this.source.roster;
    this.order = this.orderNow();
    this.top = topOf(list);
    const here = list.filter((view) => !view.machine && this.isRoot(view));
    return [
      ...this.rowsOf(here, 'more'),
      ...this.groups().map((group) => this.drawMachine(group)),
      ...this.source.lines().map((note): AgentNode => ({ kind: 'note', ...note })),
    ];
  }

  /** Returns the first rows, and one that shows more. */
  private rowsOf(views: readonly AgentView[], id: string): AgentNode[] {
    const nodes = views.slice(0, this.rows).map((view) => this.draw(view));
    const more = views.length - nodes.length;
    if (more <= 0) return nodes;
    const text = `Show ${whole(Math.min(more, MORE_ROWS))} More of ${whole(more)}`;
    return [...nodes, { kind: 'note', id, text, command: 'unstuck.showMoreAgents' }];
  }

  private isRoot({ parent }: AgentView): boolean {
    return parent === undefined || !this.source.roster.get(parent);
  }

  /** The value of `order` if the list were drawn now; rows that are not drawn are ignored. */
  private orderNow(): readonly string[] {
    const { list } = this.source.roster;
    const order = [`of ${list.length}`];
    for (const view of list) {
      if (order.length > this.rows) break;
      if (view.machine || !this.isRoot(view)) continue;
      order.push(this.familyOrder(view.session));
    }
    for (const { machine, views } of this.groups())
      order.push(machine.name, ...views.slice(0, this.rows).map(({ session }) => this.familyOrder(session)));
    return order;
  }

  /** A session with all below it. */
  private familyOrder(session: string): string {
    const family = this.source.roster.familyOf(session);
    return family.length === 0
      ? session
      : `${session}(${family.map((one) => this.familyOrder(one.session)).join(' ')})`;
  }

  /** Returns the row of a session, which VS Code draws now. */
  private draw(view: AgentView): SessionNode {
    return this.drawn.draw(view.session, { kind: 'agent', view }, this.lookOfRow(view));
  }
}

function isQuiet(view: AgentView): boolean {
  const standing = standingOf(view);
  return standing === 'your_turn' || standing === 'finished';
}

/** The sessions that need a person; they stand first. */
function topOf(list: readonly AgentView[]): string {
  const end = list.findIndex((view) => !needsPerson(view));
  return list
    .slice(0, end < 0 ? list.length : end)
    .map(({ session }) => session)
    .join(' ');
}

function sameOrder(drawn: readonly string[], now: readonly string[]): boolean {
  return drawn.length === now.length && now.every((row, index) => row === drawn[index]);
}
