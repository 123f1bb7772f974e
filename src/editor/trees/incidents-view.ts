import * as vscode from 'vscode';
import type { Incident } from '../../core/model';
import { isActive } from '../../core/model';
import { whole } from '../../base/util/counts';
import {
  historyProblem,
  incidentLook,
  incidentRowDescription,
  incidentRowLabel,
  incidentsMessage,
  learningName,
  narrowedMessage,
  plain,
  withCode,
} from '../../core/words';
import type { IncidentFilter, IncidentStore, Learning } from '../../history/types';
import { setContext } from '../context-keys';
import { changesOf, type GroupedIncidents } from './incident-changes';
import {
  FOUND,
  type IncidentGroup,
  type IncidentNarrowing,
  LISTED,
  NOTHING_NARROWED,
  grouped,
  questionOf,
} from './incident-groups';
import { PacedChanges } from './paced-changes';
import { incidentFacts } from '../panel-model/sections/incident';
import { themeIcon } from './theme-icon';
import { type HoverLine, Tree, type TreeRow, type TreeRows } from '../voice';

/** Rows of the view *Incidents*: groups by date and the incidents in them, or the results of a search, best first. */
export type IncidentNode =
  | { readonly kind: 'group'; readonly group: IncidentGroup; readonly incidents: readonly Incident[] }
  | { readonly kind: 'incident'; readonly incident: Incident }
  | { readonly kind: 'learning'; readonly learning: Learning; readonly same?: readonly string[] };

type GroupNode = IncidentNode & { readonly kind: 'group' };
type IncidentRow = IncidentNode & { readonly kind: 'incident' };

/** Minimum time between two redraws of the ages of open incidents, milliseconds. */
const AGE_STEP_MS = 10_000;
/** VS Code needs about a tenth of a second for a row that is drawn alone, so more rows than this are drawn with their group. */
const ROWS_ALONE = 5;
/** Pause for each row that a redraw may draw, and at most, milliseconds. An incident that begins or ends does not wait. */
const REST_PER_ROW_MS = 80;
const LONGEST_REST_MS = 4_000;

/** Time that the first read of the history in a window may take, milliseconds. If it takes longer, what is known without it is shown first. */
const FIRST_LOOK_MS = 60;

const GROUPS: readonly IncidentGroup[] = ['Replay', 'Today', 'Yesterday', 'This week', 'Earlier'];

/** The view *Incidents*: incidents that are over, grouped by day, or what a search finds. */
export class IncidentsView implements TreeRows<IncidentNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<IncidentNode | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly changes = new PacedChanges<IncidentNode>(
    (row) => this.changed.fire(row),
    ROWS_ALONE,
    () => restFor(this.rowLooks.size),
  );
  private readonly looks = new PacedChanges<never>(
    () => void this.compare(),
    0,
    () => restFor(this.drawn.get('Today')?.length ?? 0),
  );
  /** Incidents of the list as it was last drawn; empty while it shows the results of a search. */
  private drawn: GroupedIncidents = new Map();
  private readonly groupNodes = new Map<IncidentGroup, GroupNode>();
  private readonly rowNodes = new Map<string, IncidentRow>();
  private hasBeenRead = false;
  /** Look of each incident's row when it was last drawn. */
  private readonly rowLooks = new Map<string, string>();
  readonly tree: Tree<IncidentNode>;
  narrowing: IncidentNarrowing = NOTHING_NARROWED;

  /**
   * @param nameOf returns the name of a chip
   * @param replays returns incidents of replays, which are never kept
   * @param isListed returns whether the incident's agent is known
   */
  constructor(
    private readonly store: Pick<IncidentStore, 'current' | 'incidents' | 'recall' | 'status'>,
    private readonly now: () => number,
    private readonly nameOf: (chip: IncidentNarrowing['chips'][number]) => string,
    private readonly replays: () => readonly Incident[],
    private readonly isListed: (incident: Incident) => boolean,
  ) {
    this.tree = new Tree<IncidentNode>('unstuck.incidents', this, { canSelectMany: true });
  }

  /** Redraws what changed. */
  refresh(): void {
    this.looks.request();
  }

  /** Does the same at once: an incident began or ended, or a person requested something else. */
  refreshNow(): void {
    this.looks.requestNow();
  }

  narrow(narrowing: IncidentNarrowing): void {
    this.narrowing = narrowing;
    setContext('unstuck.incidentFilter', this.isNarrowed);
    this.changes.requestNow();
  }

  /** Narrows the list to incidents that were about the same call, and shows it. */
  showSimilar(incident: Incident): void {
    this.narrow({ text: incident.subject, chips: [{ kind: 'rule', value: incident.detector }] });
    void vscode.commands.executeCommand('unstuck.incidents.focus');
  }

  private get isNarrowed(): boolean {
    return this.narrowing.text !== '' || this.narrowing.chips.length > 0;
  }

  /** Shows the filter of the list, or a problem with the history. */
  private say(found: number, most: number, isReading = false, isOnlyOpen = false): void {
    const { reason, damage } = this.store.status();
    const [file] = damage?.files ?? [];
    const { text, chips } = this.narrowing;
    const narrowed = () =>
      narrowedMessage({
        search: text,
        chips: chips.map((chip) => this.nameOf(chip)),
        found,
        isCut: found === most,
      });
    const message = incidentsMessage({
      ...(this.isNarrowed && { narrowed: narrowed() }),
      ...(reason !== undefined && { problem: historyProblem(reason) }),
      ...(damage && file !== undefined && { damage: { ...damage, file } }),
      isReading,
      isOnlyOpen: isOnlyOpen && found > 0,
    });
    this.tree.sayAbove(message);
  }

  /** Compares the list with how it was drawn, and redraws what differs. */
  private async compare(): Promise<void> {
    const { words, filter } = questionOf(this.narrowing, this.now());
    // A hidden list is drawn whole when it is shown; until then the history is not queried for it.
    if (words !== '' || this.drawn.size === 0 || !this.tree.visible) return this.changes.request();
    const now = await this.groups(filter);
    const { all, group, rows } = changesOf(this.drawn, now, this.rowLooks, (incident) => this.lookOfRow(incident));
    if (all) return this.changes.request();
    this.drawn = now;
    for (const [name, incidents] of now) {
      this.groupNode(name, incidents);
      for (const incident of incidents) this.rowNode(incident);
    }
    const alone = rows.flatMap((id) => this.rowNodes.get(id) ?? []);
    if (group === null && alone.length <= ROWS_ALONE) return this.changes.request(alone);
    const groups = [...now].flatMap(([name, incidents]) =>
      name === group || incidents.some(({ id }) => rows.includes(id)) ? [this.groupNode(name, incidents)] : [],
    );
    this.changes.request(groups);
  }

  private async groups(filter: IncidentFilter): Promise<GroupedIncidents> {
    const asked = this.store.incidents({ ...filter, limit: LISTED });
    const known = this.isNarrowed ? [] : this.store.current();
    // Without any known incident, a wait is better than a list that says there were none. Later reads wait, too: otherwise the answers of a slow
    // history would never be shown.
    const answer = known.length === 0 || this.hasBeenRead ? await asked : await within(FIRST_LOOK_MS, asked);
    if (!answer)
      asked
        .then(() => {
          this.hasBeenRead = true;
          this.refreshNow();
        })
        .catch(() => {});
    const incidents = answer ?? known.slice(0, LISTED);
    this.say(
      incidents.length,
      LISTED,
      !answer,
      incidents.every((incident) => isActive(incident.state) && this.isListed(incident)),
    );
    const byTime = grouped(incidents, this.now(), this.isListed);
    const replays = this.isNarrowed ? [] : this.replays();
    if (replays.length > 0) byTime.set('Replay', [...replays]);
    return new Map(GROUPS.flatMap((group) => (byTime.has(group) ? [[group, byTime.get(group) ?? []] as const] : [])));
  }

  /** Returns the same object for a group each time: by it, VS Code knows what is redrawn. */
  private groupNode(group: IncidentGroup, incidents: readonly Incident[]): GroupNode {
    const node = Object.assign(this.groupNodes.get(group) ?? { kind: 'group' as const, group, incidents }, {
      incidents,
    });
    this.groupNodes.set(group, node);
    return node;
  }

  private rowNode(incident: Incident): IncidentRow {
    const node = Object.assign(this.rowNodes.get(incident.id) ?? { kind: 'incident' as const, incident }, { incident });
    this.rowNodes.set(incident.id, node);
    return node;
  }

  /** Returns everything that a row shows except its tooltip. */
  private lookOfRow(incident: Incident): string {
    const facts = incidentFacts(incident);
    // The colour of a tone differs in high contrast.
    const { id, color } = themeIcon(incidentLook(facts));
    const description = incidentRowDescription(facts, Math.floor(this.now() / AGE_STEP_MS) * AGE_STEP_MS);
    return [incident.title, description, id, color?.id, incident.state].join('|');
  }

  fetched(): void {
    this.changes.fetched();
  }

  async getChildren(node?: IncidentNode): Promise<IncidentNode[]> {
    if (node?.kind === 'group') return node.incidents.map((incident) => this.rowNode(incident));
    if (node) return [];
    for (const kept of [this.groupNodes, this.rowNodes, this.rowLooks]) kept.clear();
    this.drawn = new Map();
    const { words, filter } = questionOf(this.narrowing, this.now());
    if (words !== '') {
      const hits = await this.store.recall(words, { filter, limit: FOUND });
      this.say(hits.length, FOUND);
      return hits.map((hit) =>
        hit.kind === 'incident'
          ? { kind: 'incident', incident: hit.incident }
          : { kind: 'learning', learning: hit.learning, ...(hit.same && { same: hit.same }) },
      );
    }
    this.drawn = await this.groups(filter);
    return [...this.drawn].map(([group, incidents]) => this.groupNode(group, incidents));
  }

  row(node: IncidentNode): TreeRow {
    switch (node.kind) {
      case 'group':
        return this.groupRow(node.group, node.incidents.length);
      case 'incident':
        this.rowLooks.set(node.incident.id, this.lookOfRow(node.incident));
        return this.incidentRow(node.incident);
      case 'learning':
        return learningRow(node);
    }
  }

  private groupRow(group: IncidentGroup, count: number): TreeRow {
    const isOpen = group === 'Replay' || group === 'Today' || this.isNarrowed;
    return {
      id: `group/${group}`,
      label: group,
      description: String(count),
      children: isOpen ? 'open' : 'closed',
      context: 'group',
    };
  }

  private incidentRow(incident: Incident): TreeRow {
    const facts = { ...incidentFacts(incident), title: incident.title };
    const description = incidentRowDescription(facts, this.now());
    return {
      id: `incident/${incident.id}`,
      label: incidentRowLabel(facts),
      description,
      icon: themeIcon(incidentLook(facts)),
      tooltip: hoverOf(incident, description),
      spoken: `${facts.title}, ${description}`,
      context: contextOf(incident),
      command: { command: 'unstuck.showIncident', title: 'Show Incident', arguments: [incident] },
    };
  }

  dispose(): void {
    this.tree.dispose();
    this.looks.dispose();
    this.changes.dispose();
    this.changed.dispose();
  }
}

/** Names the state for the menus of package.json. */
function contextOf({ state, outcome }: Incident): string {
  if (isActive(state)) return 'incident:active';
  return outcome === 'not_stuck' ? 'incident:not_stuck' : 'incident:closed';
}

/** Returns the value of a promise, or null if it takes longer. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the pause after this many rows may have been drawn, milliseconds. */
function restFor(rows: number): number {
  return Math.min(LONGEST_REST_MS, rows * REST_PER_ROW_MS);
}

/** Repeats the description in the tooltip: in a row it is cut before the outcome. */
function hoverOf(incident: Incident, description: string): readonly HoverLine[] {
  const who = [incident.agentName, incident.model].filter((part) => part !== undefined);
  return [
    { text: incident.title, isStrong: true },
    { text: who.join(', ') },
    { text: plain(withCode(incident.why)) },
    { text: description },
  ];
}

function learningRow(node: Extract<IncidentNode, { kind: 'learning' }>): TreeRow {
  const { learning } = node;
  const label = learningName(learning);
  return {
    id: `learning/${learning.id}`,
    label,
    description: node.same ? `learned ×${whole(node.same.length + 1)}` : 'learned',
    icon: new vscode.ThemeIcon(learning.pinned === true ? 'pinned' : 'book'),
    tooltip: plain(withCode(learning.content)),
    spoken: `Learned: ${label}`,
    context: learning.pinned === true ? 'learning:pinned' : 'learning',
    command: { command: 'unstuck.showIncident', title: 'Show Incident', arguments: [node] },
  };
}
