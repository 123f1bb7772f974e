import * as vscode from 'vscode';
import {
  type AgentState,
  type AgentView,
  type Delivery,
  type GateReport,
  type Incident,
  type Machine,
  needsPerson,
  standingOf,
} from '../../core/model';
import { age, clockOn, cutWords } from '../../core/words/format';
import { whole } from '../../base/util/counts';
import {
  coverageWords,
  deliveryName,
  gateSign,
  gateWords,
  gatesInShort,
  machineInShort,
  plain,
  rowTitle,
  ruleInShort,
  stateLabel,
  withCode,
  type Surface,
} from '../../core/words';
import type { Place } from '../places';
import { type MachineGroup, machineFacts, machineGroups, machineRow } from './machine-rows';
import { PacedChanges } from './paced-changes';
import type { Roster } from './roster';
import type { Watch } from '../../core/words';
import { deliveryOf, hintOf, lookOf, rowDescription, sentenceOf, whyOf } from './row-words';
import { themeIcon } from './theme-icon';
import type { Note } from './notes';
import { type HoverLine, Tree, type TreeRow, type TreeRows } from '../voice';

const AGE_STEP_MS = 10_000;
/** The same for rows that ask for nothing: they can be many. */
const QUIET_AGE_STEP_MS = 60_000;
/** A row that is drawn alone takes VS Code about a tenth of a second, the whole list not longer: more rows are drawn with all others. */
const ROWS_ALONE = 5;
/** How long the list is left alone for each of its rows once all were drawn, and at most, milliseconds: ten rows once in 0.8 s. */
const REST_PER_ROW_MS = 80;
const LONGEST_REST_MS = 4_000;
/** Rows at first; drawing the list anew costs with every row, and what needs a person stands on top. */
const FIRST_ROWS = 50;
const MORE_ROWS = 200;
/** Rows whose age is looked at in one turn of the event loop. */
const ROWS_A_TURN = 50;

/** Rows of the view *Agents*: a session, or what there is to say about one. */
export type AgentNode =
  | { readonly kind: 'agent'; readonly view: AgentView }
  | { readonly kind: 'incident'; readonly view: AgentView; readonly incident: Incident }
  | { readonly kind: 'gates'; readonly view: AgentView; readonly report: GateReport }
  | { readonly kind: 'delivery'; readonly view: AgentView; readonly delivery: Delivery; readonly number: number }
  | ({ readonly kind: 'machine' } & MachineGroup)
  | ({ readonly kind: 'note' } & Note);

type AgentRow = AgentNode & { readonly kind: 'agent' };
type MachineRow = AgentNode & { readonly kind: 'machine' };

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
  /** Does anything hand messages to this agent? */
  isConnected(view: AgentView): boolean;
  /** Does it run in a terminal of this window? */
  surfaceOf(view: AgentView): Surface | null;
  /** Where on its machine it works, as far as that tells it from the others in the list; empty where all work in one place. */
  placeName(view: AgentView): string;
  /** Where it works, whole, for the tooltip. */
  placeOf(view: AgentView): Place | undefined;
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
  /** The row of each session, and how it looked when it was drawn last. */
  private readonly drawn = new Map<string, { readonly node: AgentRow; look: string }>();
  /** The same for machines, by their names. */
  private readonly drawnMachines = new Map<string, { readonly node: MachineRow; look: string }>();

  constructor(private readonly source: AgentsSource) {
    this.tree = new Tree<AgentNode>('unstuck.agents', this);
  }

  /** Draws anew what changed: single rows while the order holds, the whole list when it does not; soon, where somebody is needed. */
  refresh(sessions?: readonly string[]): void {
    const { roster } = this.source;
    if (sessions && sameOrder(this.order, this.orderNow())) {
      this.changes.ask([...sessions.flatMap((session) => this.rowToDraw(session) ?? []), ...this.machinesToDraw()]);
    } else if (topOf(roster.list) === this.top) this.changes.ask();
    else this.changes.askNow();
  }

  /** The ages of the rows, some in each turn of the event loop. */
  async refreshAges(breathe: () => Promise<void>): Promise<void> {
    const { list } = this.source.roster;
    const rows: AgentNode[] = this.machinesToDraw();
    for (let at = 0; at < Math.min(list.length, this.rows); at++) {
      if (at % ROWS_A_TURN === ROWS_A_TURN - 1) await breathe();
      const session = list[at]?.session;
      if (session !== undefined) rows.push(...(this.rowToDraw(session) ?? []));
    }
    this.changes.ask(rows);
  }

  /** The row of a session, if it looks otherwise than it was drawn. */
  private rowToDraw(session: string): readonly [AgentNode] | undefined {
    const view = this.source.roster.get(session);
    const row = this.drawn.get(session);
    if (!view || !row) return undefined;
    // The same object keeps its row; what it shows is new. A row that would look the same is left alone: drawing it anew takes away the
    // button under the pointer.
    Object.assign(row.node, { view });
    const look = this.lookOfRow(view);
    if (row.look === look) return undefined;
    row.look = look;
    return [row.node];
  }

  /** The rows of machines that look otherwise than they were drawn. */
  private machinesToDraw(): AgentNode[] {
    return this.groups().flatMap((group): AgentNode[] => {
      const row = this.drawnMachines.get(group.machine.name);
      if (!row) return [];
      Object.assign(row.node, group);
      const look = this.lookOfMachine(group);
      if (row.look === look) return [];
      row.look = look;
      return [row.node];
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

  private drawMachine(group: MachineGroup): MachineRow {
    const { name } = group.machine;
    const fresh = { kind: 'machine' as const, ...group };
    const node = Object.assign(this.drawnMachines.get(name)?.node ?? fresh, group);
    this.drawnMachines.set(name, { node, look: this.lookOfMachine(group) });
    return node;
  }

  /** Everything that a row and its children show, but for the tooltip, which is made when it is asked for. */
  private lookOfRow(view: AgentView): string {
    // Ages alone draw a row anew every 10 s: each second, as the panel does, would take the button away under the pointer each second.
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
    const row = parent === undefined ? undefined : this.drawn.get(parent)?.node;
    return row ?? (view.machine && this.drawnMachines.get(view.machine.name)?.node);
  }

  row(node: AgentNode): TreeRow {
    switch (node.kind) {
      case 'agent':
        return this.agentRow(node.view);
      case 'incident':
        return incidentRow(node.view, node.incident, this.source.now());
      case 'delivery':
        return deliveryRow(node.view, node.delivery, node.number, this.source.isConnected(node.view));
      case 'gates':
        return gatesRow(node.view, node.report, this.source.now());
      case 'machine':
        return machineRow(node, this.source.now());
      case 'note':
        return {
          id: `note/${node.id}`,
          label: node.text,
          tooltip: node.text,
          context: 'note',
          ...(node.icon !== undefined && { icon: new vscode.ThemeIcon(node.icon) }),
          ...(node.command !== undefined && { command: { command: node.command, title: node.text } }),
        };
    }
  }

  /** The tooltip is made when the pointer rests on a row: its ages would be old by then. */
  hover(node: AgentNode): readonly HoverLine[] | undefined {
    if (node.kind !== 'agent') return undefined;
    const { view } = node;
    const now = this.source.now();
    const sentence = sentenceOf(view, now, this.source.watchOf(view));
    return hoverOf(view, lookOf(view, now).icon, sentence, this.source.placeOf(view), now);
  }

  /** Selects the row of a session without taking the focus. */
  async reveal(session: string): Promise<void> {
    const node = this.drawn.get(session)?.node;
    if (node) await this.tree.reveal(node);
  }

  dispose(): void {
    this.tree.dispose();
    this.changes.dispose();
    this.changed.dispose();
  }

  /** More rows, for whoever asks for them. */
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

  /** As many as are shown, and a way to more. */
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

  /** What `order` would be if the list were drawn now: how those stand that are not drawn changes nothing. */
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

  /** The row of a session, which VS Code draws now. */
  private draw(view: AgentView): AgentRow {
    const node = Object.assign(this.drawn.get(view.session)?.node ?? { kind: 'agent' as const, view }, { view });
    this.drawn.set(view.session, { node, look: this.lookOfRow(view) });
    return node;
  }

  private agentRow(view: AgentView): TreeRow {
    const now = this.source.now();
    const hint = hintOf(view, now);
    const hasChildren =
      view.incidents.length > 0 ||
      view.deliveries.length > 0 ||
      view.gates ||
      this.source.roster.familyOf(view.session).length > 0;
    const place = this.source.placeName(view);
    const why = whyOf(view, now);
    const description = rowDescription(view, now, place);
    const label = stateLabel(view.state, view.title, view.agentName, now, hint);
    const muted = view.incidents.some((incident) => incident.state === 'muted') ? ':muted' : '';
    const open = view.incidents.length > 0 ? ':incident' : '';
    const surface = this.source.surfaceOf(view);
    const here = surface === null ? '' : `:${surface}`;
    return {
      id: `agent/${view.session}`,
      label: rowTitle(view.title, place !== '' || why !== ''),
      description: view.parent === undefined ? description : `sub-agent, ${description}`,
      icon: themeIcon(lookOf(view, now)),
      spoken: [label, place, why].filter((part) => part !== '').join(', '),
      ...(hasChildren && { children: 'closed' }),
      // What another machine allows; what needs its files or terminals is not offered.
      context: view.machine
        ? ['remote', contextOf(view.state), ...view.machine.accepts].join(':')
        : `agent:${contextOf(view.state)}${open}${muted}${here}`,
      command: { command: 'unstuck.showEvidence', title: 'Show Evidence', arguments: [view.session] },
    };
  }
}

/** The state as the menus of package.json know it: `waiting:permission`. */
function contextOf({ kind, waitingFor, probable }: AgentState): string {
  if (probable) return `${kind}:probable`;
  return waitingFor ? `${kind}:${waitingFor}` : kind;
}

function isQuiet(view: AgentView): boolean {
  const standing = standingOf(view);
  return standing === 'your_turn' || standing === 'finished';
}

/** Which sessions need a person; they stand first. */
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

function incidentRow(view: AgentView, incident: Incident, now: number): TreeRow {
  const { detector, rule, count, firstAt, subject } = incident;
  const short = ruleInShort(detector, rule, count, age(now - firstAt), subject);
  return {
    id: `agent/${view.session}/${incident.id}`,
    label: cutWords(subject, 40),
    description: incident.state === 'muted' ? `${short}, muted` : short,
    icon: new vscode.ThemeIcon(incident.level === 'stuck' ? 'sync' : 'lightbulb'),
    tooltip: plain(withCode(incident.why)),
    context: view.machine ? 'remote-incident' : 'agent-incident',
    command: { command: 'unstuck.showEvidence', title: 'Show Evidence', arguments: [view.session] },
  };
}

function deliveryRow(view: AgentView, delivery: Delivery, number: number, connected: boolean): TreeRow {
  return {
    id: `agent/${view.session}/message/${delivery.message.id}`,
    label: deliveryName(delivery.message.kind, number),
    description: deliveryOf(view, delivery, connected),
    icon: new vscode.ThemeIcon('send'),
    context: `delivery:${delivery.state}`,
  };
}

function gatesRow(view: AgentView, report: GateReport, now: number): TreeRow {
  return {
    id: `agent/${view.session}/gates`,
    label: 'Gates',
    description: gatesInShort(report),
    icon: new vscode.ThemeIcon(report.verdict === 'running' ? 'loading~spin' : 'checklist'),
    tooltip: report.results.map((gate) => ({ text: `${gateSign(gate.status)} ${gate.name}: ${gateWords(gate, now)}` })),
    context: `gates:${report.verdict}`,
    command: { command: 'unstuck.showEvidence', title: 'Show Gates', arguments: [view.session] },
  };
}

function hoverOf(
  view: AgentView,
  icon: string,
  sentence: string,
  place: Place | undefined,
  now: number,
): readonly HoverLine[] {
  const together = (...parts: readonly (string | undefined)[]) => parts.filter((part) => part !== undefined).join(', ');
  const lines: HoverLine[] = [
    { text: view.title, isStrong: true },
    { text: together(view.agentName, view.model) },
    ...(view.machine ? [{ icon: 'server', text: view.machine.name }] : []),
    ...(place ? [{ icon: 'folder', text: together(place.folder, worktreeWords(place), place.branch) }] : []),
    { icon, text: sentence },
  ];
  // The sentence of a working agent says already what is seen of it.
  if (view.state.kind === 'working') return lines;
  const since = `Since ${clockOn(view.state.since, now)}, ${age(now - view.state.since)}.`;
  const seen = `${coverageWords(view.coverage.seen, view.coverage.there)}.`;
  return [...lines, { text: `${since} ${seen}` }];
}

function worktreeWords({ worktree }: Place): string | undefined {
  return worktree === undefined ? undefined : `worktree ${worktree}`;
}
