import * as vscode from 'vscode';
import { whole } from '../../base/util/counts';
import { type AgentView, type Need, needOf, standingOf } from '../../core/model';
import { contextMark, gatesInShort, machineInShort, type Surface, type Watch } from '../../core/words';
import { type HoverLine, Tree, type TreeRow, type TreeRows } from '../voice';
import type { Workplace } from '../workplaces';
import { AgentOutline, MORE_ROWS, type OutlineSource, sameOrder } from './agent-outline';
import {
  type AgentNode,
  deliveryRow,
  type GroupNode,
  gatesRow,
  groupRow,
  incidentTreeRow,
  type MachineNode,
  noteRow,
  sessionHover,
  type SessionNode,
  sessionTreeRow,
  type Surroundings,
  whyRow,
} from './agent-rows';
import { DrawnRows } from './drawn-rows';
import { machineFacts, type MachineGroup, machineRow } from './machine-rows';
import type { Note } from './notes';
import { PacedChanges } from './paced-changes';
import { hasWhyLine, lookOf, rowDescription, rowLabel, sentenceOf, whyOf } from './row-words';

/** Time that a row that is new or moves waits, so that all moves happen at once. What moves under the pointer gets clicked by mistake. */
const SETTLED_MS = 3_000;
/** VS Code needs about 0.1 s to draw one row and no longer for the whole list, so more rows than this redraw the list. */
const ROWS_ALONE = 5;
/** Pause after the whole list was drawn, for each of its rows and at most, milliseconds: ten rows every 0.8 s. */
const REST_PER_ROW_MS = 80;
const LONGEST_REST_MS = 4_000;
/** Number of rows whose age is checked in one turn of the event loop. */
const ROWS_A_TURN = 50;

export interface AgentsSource extends OutlineSource {
  /** Returns lines to show below the agents, for example the number of sessions of other folders. */
  lines(): readonly Note[];
  now(): number;
  /** Returns the message whose effect is watched; null if there is none. */
  watchOf(view: AgentView): Watch | undefined;
  /** Returns true if a connection hands messages to this agent. */
  isConnected(view: AgentView): boolean;
  /** Returns the part of this window in which it runs; null for none. */
  surfaceOf(view: AgentView): Surface | null;
  /** Returns the part of its folder that differs from the others in the list; empty if all work in one place. */
  placeName(view: AgentView): string;
  /** Returns the percentage of the context from which a row shows how full it is; 0 for never. */
  contextFrom(): number;
  /** Returns true for a recorded run that is being played. Its row always shows that. */
  isReplay(view: AgentView): boolean;
  /** Returns true if a person muted it for a while. */
  isMuted(session: string): boolean;
  /** Returns the complete place where it works, for the tooltip. */
  placeOf(view: AgentView): Workplace | undefined;
}

/** The view *Agents*: one row per session, the ones that need you first. */
export class AgentsView implements TreeRows<AgentNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<AgentNode | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly changes = new PacedChanges<AgentNode>(
    (row) => this.changed.fire(row),
    ROWS_ALONE,
    () => Math.min(LONGEST_REST_MS, this.order.length * REST_PER_ROW_MS),
  );
  readonly tree: Tree<AgentNode>;
  private readonly outline: AgentOutline;
  /** The order that was last drawn. */
  private order: readonly string[] = [];
  /** Timer that runs while rows wait for their new place. */
  private moving: NodeJS.Timeout | undefined;
  /** When rows last changed their places, milliseconds since the epoch. */
  movedAt = 0;
  /** When the ages on the rows were last checked, milliseconds since the epoch. */
  private agesAt = 0;
  /** Groups whose agents work in different places. */
  private readonly spread = new Set<Need>();
  /** Rows of sessions, by session. */
  private readonly drawn = new DrawnRows<SessionNode>();
  /** Rows of machines, by name. */
  private readonly drawnMachines = new DrawnRows<MachineNode>();

  constructor(private readonly source: AgentsSource) {
    this.outline = new AgentOutline(source);
    this.tree = new Tree<AgentNode>('unstuck.agents', this);
  }

  /** Redraws what changed: single rows at once; rows that appear, disappear or move all together, once they have settled. */
  refresh(sessions?: readonly string[]): void {
    if (sessions)
      this.changes.request([...sessions.flatMap((session) => this.rowToDraw(session) ?? []), ...this.machinesToDraw()]);
    if (!sessions || !sameOrder(this.order, this.outline.order())) this.move();
  }

  /** Draws the whole list at once. */
  redraw(): void {
    this.changes.requestNow();
  }

  /** Draws the whole list, at once while it is empty. */
  private move(): void {
    if (this.order.length <= 1) return this.redraw();
    this.moving ??= setTimeout(() => {
      this.moving = undefined;
      this.movedAt = this.source.now();
      this.changes.requestNow();
    }, SETTLED_MS);
  }

  /**
   * Redraws rows whose age changed, some in each turn of the event loop: those whose state is a full minute older than at the last check, or all,
   * since some rows show other times.
   */
  async refreshAges(which: 'all' | 'full_minute', breathe: () => Promise<void>): Promise<void> {
    const before = this.agesAt;
    const now = this.source.now();
    this.agesAt = now;
    const rows: AgentNode[] = which === 'all' ? this.machinesToDraw() : [];
    let checked = 0;
    for (const view of this.source.roster.list) {
      if (!this.drawn.has(view.session)) continue;
      if (++checked % ROWS_A_TURN === 0) await breathe();
      if (which === 'full_minute' && minutes(now - view.state.since) === minutes(before - view.state.since)) continue;
      const row = this.rowToDraw(view.session);
      if (row) rows.push(row);
    }
    this.changes.request(rows);
  }

  /** Returns the row of a session if it no longer looks as it was drawn. */
  private rowToDraw(session: string): AgentNode | undefined {
    const view = this.source.roster.get(session);
    return view && this.drawn.update(session, { kind: 'agent', view }, () => this.lookOfRow(view));
  }

  /** Returns the rows of machines that no longer look as they were drawn. */
  private machinesToDraw(): AgentNode[] {
    return this.outline.machines().flatMap((group): AgentNode[] => {
      const node: MachineNode = { kind: 'machine', ...group };
      const row = this.drawnMachines.update(group.machine.name, node, () => this.lookOfMachine(group));
      return row ? [row] : [];
    });
  }

  private lookOfMachine(group: MachineGroup): string {
    return machineInShort(machineFacts(group), this.source.now());
  }

  private drawMachine(group: MachineGroup): MachineNode {
    return this.drawnMachines.draw(group.machine.name, { kind: 'machine', ...group }, this.lookOfMachine(group));
  }

  /** Returns everything that a row and its children show. The tooltip is made when the pointer rests on the row. */
  private lookOfRow(view: AgentView): string {
    const now = this.source.now();
    const { icon, tone } = lookOf(view, now);
    const children = [
      ...view.incidents.map((incident) => `${incident.id}${incident.count}${incident.state}${incident.level}`),
      ...view.deliveries.map((delivery) => `${delivery.message.id}${delivery.state}${this.source.isConnected(view)}`),
      ...(view.gates ? [`${view.gates.startedAt}${gatesInShort(view.gates)}`] : []),
      ...this.outline.familyOf(view.session).map((one) => one.session),
    ];
    const place = this.placeIn(view);
    const why = hasWhyLine(view) ? this.whyOf(view) : '';
    const here = `${this.source.surfaceOf(view)} ${this.source.isMuted(view.session)}`;
    return [
      rowLabel(view, now),
      rowDescription(view, now, place, this.contextOf(view)),
      why,
      icon,
      tone,
      here,
      ...children,
    ].join('|');
  }

  fetched(): void {
    this.changes.fetched();
  }

  getChildren(node?: AgentNode): AgentNode[] {
    if (!node) return this.roots();
    switch (node.kind) {
      case 'group':
        return this.rowsOf(node.views, `more/${node.need}`);
      case 'machine':
        return this.rowsOf(node.views, `more/${node.machine.name}`);
      case 'agent':
        return this.below(node.view);
      case 'why':
      case 'incident':
      case 'delivery':
      case 'gates':
      case 'note':
        return [];
    }
  }

  /** Returns the lines below an agent: why it needs a person, what was found and sent, its gates, and its sub-agents. */
  private below(view: AgentView): AgentNode[] {
    const isStuck = view.state.kind === 'stuck' || view.state.kind === 'escalated';
    // Its gravest incident is already shown as the reason.
    const incidents = isStuck ? view.incidents.slice(1) : view.incidents;
    const nudges = view.deliveries.filter(({ message }) => message.kind === 'nudge');
    return [
      ...(hasWhyLine(view) ? [{ kind: 'why', view } as const] : []),
      ...incidents.map((incident): AgentNode => ({ kind: 'incident', view, incident })),
      ...view.deliveries.slice(-3).map((delivery): AgentNode => {
        return { kind: 'delivery', view, delivery, number: nudges.indexOf(delivery) + 1 };
      }),
      ...(view.gates ? [{ kind: 'gates', view, report: view.gates } as const] : []),
      ...this.outline.familyOf(view.session).map((one) => this.draw(one)),
    ];
  }

  row(node: AgentNode): TreeRow {
    const now = this.source.now();
    switch (node.kind) {
      case 'group':
        return groupRow(node);
      case 'agent':
        return sessionTreeRow(node.view, this.surroundings(node.view), now);
      case 'why':
        return whyRow(node.view, this.surroundings(node.view), this.whyOf(node.view), now);
      case 'incident':
        return incidentTreeRow(node.view, node.incident, now);
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
    // Does not use `below`, which draws the sub-agents: rows that are only counted would then pass for drawn.
    const hasChildren =
      hasWhyLine(view) ||
      view.incidents.length > 0 ||
      view.deliveries.length > 0 ||
      view.gates !== undefined ||
      this.outline.familyOf(view.session).length > 0;
    const isMuted = this.source.isMuted(view.session);
    const place = this.placeIn(view);
    return { place, context: this.contextOf(view), surface: this.source.surfaceOf(view), hasChildren, isMuted };
  }

  private whyOf(view: AgentView): string {
    const watch = view.state.kind === 'recovering' ? this.source.watchOf(view) : undefined;
    return whyOf(view, this.source.now(), watch);
  }

  private contextOf(view: AgentView): string {
    return view.state.kind === 'finished' ? '' : contextMark(view.health, this.source.contextFrom());
  }

  /** Returns where it works, as far as that distinguishes it from others in its group. */
  private placeIn(view: AgentView): string {
    const isSaid = this.source.isReplay(view) || this.spread.has(needOf(standingOf(view)));
    return isSaid || view.machine ? this.source.placeName(view) : '';
  }

  /** Returns the tooltip, made when the pointer rests on a row: the ages in an earlier one would be out of date. */
  hover(node: AgentNode): readonly HoverLine[] | undefined {
    if (node.kind !== 'agent') return undefined;
    const { view } = node;
    const now = this.source.now();
    const sentence = sentenceOf(view, now, this.source.watchOf(view));
    return sessionHover(view, sentence, this.source.placeOf(view), now);
  }

  dispose(): void {
    clearTimeout(this.moving);
    this.tree.dispose();
    this.changes.dispose();
    this.changed.dispose();
  }

  /** Shows more rows. */
  showMore(): void {
    this.outline.showMore();
    this.changes.requestNow();
  }

  private roots(): AgentNode[] {
    this.order = this.outline.order();
    return [
      ...this.outline.needs().map(([need, views]) => this.groupNode(need, views)),
      ...this.outline.machines().map((group) => this.drawMachine(group)),
      ...this.source.lines().map((note): AgentNode => ({ kind: 'note', ...note })),
    ];
  }

  private groupNode(need: Need, views: readonly AgentView[]): GroupNode {
    const isSpread = new Set(views.map((view) => this.source.placeName(view))).size > 1;
    if (isSpread) this.spread.add(need);
    else this.spread.delete(need);
    return { kind: 'group', need, views };
  }

  /** Returns the first rows, and one that shows more. */
  private rowsOf(views: readonly AgentView[], id: string): AgentNode[] {
    const nodes = views.slice(0, this.outline.limit).map((view) => this.draw(view));
    const more = views.length - nodes.length;
    if (more <= 0) return nodes;
    const text = `Show ${whole(Math.min(more, MORE_ROWS))} More of ${whole(more)}`;
    return [...nodes, { kind: 'note', id, text, command: 'unstuck.showMoreAgents' }];
  }

  /** Returns the row of a session that VS Code is now drawing. */
  private draw(view: AgentView): SessionNode {
    return this.drawn.draw(view.session, { kind: 'agent', view }, this.lookOfRow(view));
  }
}

function minutes(ms: number): number {
  return Math.floor(ms / 60_000);
}
