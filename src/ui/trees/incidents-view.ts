import * as vscode from 'vscode';
import type { Incident } from '../../model';
import { isActive } from '../../model';
import { signsInLine } from '../../util/showable';
import {
  incidentLook,
  incidentRowDescription,
  incidentRowLabel,
  incidentsMessage,
  learningName,
  narrowedMessage,
  plain,
  withCode,
} from '../../words';
import type { IncidentStore, Learning } from '../../store/types';
import { setContext } from '../context-keys';
import { markdownText } from '../markdown';
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
import { factsOf } from './row-words';
import { themeIcon } from './theme-icon';
import { sayAbove } from './tree-message';

/** Rows of the view *Incidents*: groups by when and the incidents in them, or the results of a search, the best first. */
export type IncidentNode =
  | { readonly kind: 'group'; readonly group: IncidentGroup; readonly incidents: readonly Incident[] }
  | { readonly kind: 'incident'; readonly incident: Incident }
  | { readonly kind: 'learning'; readonly learning: Learning; readonly same?: readonly string[] };

const GROUPS: readonly IncidentGroup[] = ['Replay', 'Active', 'Today', 'This week', 'Older'];

/** The view *Incidents*: what is open, and what happened before, grouped by day; or what a search finds. */
export class IncidentsView implements vscode.TreeDataProvider<IncidentNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<IncidentNode | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly changes = new PacedChanges<IncidentNode>((row) => this.changed.fire(row));
  readonly tree: vscode.TreeView<IncidentNode>;
  narrowing: IncidentNarrowing = NOTHING_NARROWED;

  /** @param nameOf the name of a chip @param replays incidents of replays, which are never kept */
  constructor(
    private readonly store: Pick<IncidentStore, 'incidents' | 'recall' | 'status'>,
    private readonly now: () => number,
    private readonly nameOf: (chip: IncidentNarrowing['chips'][number]) => string,
    private readonly replays: () => readonly Incident[],
  ) {
    this.tree = vscode.window.createTreeView('unstuck.incidents', {
      treeDataProvider: this,
      showCollapseAll: false,
      canSelectMany: true,
    });
  }

  refresh(): void {
    this.changes.ask();
  }

  narrow(narrowing: IncidentNarrowing): void {
    this.narrowing = narrowing;
    setContext('unstuck.incidentFilter', this.isNarrowed);
    this.refresh();
  }

  /** Narrows the list to incidents that were about the same call, and shows it. */
  showSimilar(incident: Incident): void {
    this.narrow({ text: incident.subject, chips: [{ kind: 'rule', value: incident.detector }] });
    void vscode.commands.executeCommand('unstuck.incidents.focus');
  }

  private get isNarrowed(): boolean {
    return this.narrowing.text !== '' || this.narrowing.chips.length > 0;
  }

  /** What the list is narrowed to, or what is wrong with the history. */
  private say(found: number, most: number): void {
    const { message: problem, damage } = this.store.status();
    const [file] = damage?.files ?? [];
    const { text, chips } = this.narrowing;
    const narrowed = () =>
      narrowedMessage({
        search: signsInLine(text),
        chips: chips.map((chip) => signsInLine(this.nameOf(chip))),
        found,
        isCut: found === most,
      });
    const message = incidentsMessage({
      ...(this.isNarrowed && { narrowed: narrowed() }),
      ...(problem !== undefined && { problem }),
      ...(damage && file !== undefined && { damage: { ...damage, file } }),
    });
    sayAbove(this.tree, message);
  }

  async getChildren(node?: IncidentNode): Promise<IncidentNode[]> {
    if (node?.kind === 'group') return node.incidents.map((incident) => ({ kind: 'incident', incident }));
    if (node) return [];
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
    const incidents = await this.store.incidents({ ...filter, limit: LISTED });
    this.say(incidents.length, LISTED);
    const groups = grouped(incidents, this.now());
    const replays = this.isNarrowed ? [] : this.replays();
    if (replays.length > 0) groups.set('Replay', [...replays]);
    return GROUPS.flatMap((group) => {
      const within = groups.get(group) ?? [];
      return within.length === 0 ? [] : [{ kind: 'group' as const, group, incidents: within }];
    });
  }

  getTreeItem(node: IncidentNode): vscode.TreeItem {
    switch (node.kind) {
      case 'group':
        return this.groupItem(node.group, node.incidents.length);
      case 'incident':
        return this.incidentItem(node.incident);
      case 'learning':
        return learningItem(node);
    }
  }

  private groupItem(group: IncidentGroup, count: number): vscode.TreeItem {
    const open = group === 'Replay' || group === 'Active' || group === 'Today' || this.isNarrowed;
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(group, open ? Expanded : Collapsed);
    item.id = `group/${group}`;
    item.description = String(count);
    item.contextValue = 'group';
    return item;
  }

  private incidentItem(incident: Incident): vscode.TreeItem {
    const facts = { ...factsOf(incident), title: signsInLine(incident.title) };
    const label = incidentRowLabel(facts);
    const description = incidentRowDescription(facts, this.now());
    const item = new vscode.TreeItem(label);
    item.id = `incident/${incident.id}`;
    item.description = description;
    item.iconPath = themeIcon(incidentLook(facts));
    item.tooltip = incidentTooltip(incident, description);
    item.accessibilityInformation = { label: `${facts.title}, ${description}` };
    item.contextValue = isActive(incident.state) ? 'incident:active' : 'incident:closed';
    item.command = { command: 'unstuck.showIncident', title: 'Show Incident', arguments: [incident] };
    return item;
  }

  dispose(): void {
    this.tree.dispose();
    this.changes.dispose();
    this.changed.dispose();
  }
}

/** The description again: in a row it is cut before the outcome. */
function incidentTooltip(incident: Incident, description: string): vscode.MarkdownString {
  const who = [incident.agentName, incident.model].filter((part) => part !== undefined).map(signsInLine);
  return new vscode.MarkdownString()
    .appendMarkdown('**')
    .appendMarkdown(markdownText(signsInLine(incident.title)))
    .appendMarkdown('**\n\n')
    .appendMarkdown(markdownText(who.join(', ')))
    .appendMarkdown('\n\n')
    .appendMarkdown(markdownText(plain(withCode(signsInLine(incident.why)))))
    .appendMarkdown('\n\n')
    .appendMarkdown(markdownText(description));
}

function learningItem(node: Extract<IncidentNode, { kind: 'learning' }>): vscode.TreeItem {
  const { learning } = node;
  const label = learningName(learning);
  const item = new vscode.TreeItem(label);
  item.id = `learning/${learning.id}`;
  item.description = node.same ? `learned ×${node.same.length + 1}` : 'learned';
  item.iconPath = new vscode.ThemeIcon(learning.pinned === true ? 'pinned' : 'book');
  item.tooltip = plain(withCode(signsInLine(learning.content)));
  item.accessibilityInformation = { label: `Learned: ${label}` };
  item.contextValue = learning.pinned === true ? 'learning:pinned' : 'learning';
  item.command = { command: 'unstuck.showIncident', title: 'Show Incident', arguments: [node] };
  return item;
}
