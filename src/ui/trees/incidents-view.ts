import * as vscode from 'vscode';
import type { Incident } from '../../model';
import { isActive } from '../../model';
import { signsInLine } from '../../util/showable';
import { incidentDescription, incidentLook, incidentTitle, incidentsMessage } from '../../words';
import type { IncidentStore } from '../../store/types';
import { setContext } from '../context-keys';
import { type IncidentGroup, type IncidentNarrowing, filterOf, grouped } from './incident-groups';
import { PacedChanges } from './paced-changes';
import { sayAbove } from './tree-message';
import { factsOf } from './row-words';
import { themeIcon } from './theme-icon';

/** Rows of the view *Incidents*: groups by when, and the incidents in them. */
export type IncidentNode =
  | { readonly kind: 'group'; readonly group: IncidentGroup; readonly incidents: readonly Incident[] }
  | { readonly kind: 'incident'; readonly incident: Incident };

const GROUPS: readonly IncidentGroup[] = ['Active', 'Today', 'This week', 'Older'];

/** The view *Incidents*: what is open, and what happened before, grouped by day. */
export class IncidentsView implements vscode.TreeDataProvider<IncidentNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<IncidentNode | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly changes = new PacedChanges<IncidentNode>((row) => this.changed.fire(row));
  readonly tree: vscode.TreeView<IncidentNode>;
  narrowing: IncidentNarrowing = { text: '' };

  constructor(
    private readonly store: Pick<IncidentStore, 'incidents' | 'status'>,
    private readonly now: () => number,
  ) {
    this.tree = vscode.window.createTreeView('unstuck.incidents', { treeDataProvider: this, showCollapseAll: false });
  }

  refresh(): void {
    this.changes.ask();
  }

  narrow(narrowing: IncidentNarrowing): void {
    const { text, state, agent } = narrowing;
    setContext('unstuck.incidentFilter', text !== '' || state !== undefined || agent !== undefined);
    this.narrowing = narrowing;
    this.refresh();
  }

  /** Narrows the list to incidents that were about the same call, and shows it. */
  showSimilar(incident: Incident): void {
    this.narrow({ text: incident.subject });
    void vscode.commands.executeCommand('unstuck.incidents.focus');
  }

  /** What the list is narrowed to, or what is wrong with the history. */
  private say(found: boolean): void {
    const { message: problem, damage } = this.store.status();
    const [file] = damage?.files ?? [];
    const message = incidentsMessage({
      search: signsInLine(this.narrowing.text),
      found,
      ...(problem !== undefined && { problem }),
      ...(damage && file !== undefined && { damage: { ...damage, file } }),
    });
    sayAbove(this.tree, message);
  }

  async getChildren(node?: IncidentNode): Promise<IncidentNode[]> {
    if (node?.kind === 'group') return node.incidents.map((incident) => ({ kind: 'incident', incident }));
    if (node) return [];
    const groups = grouped(await this.store.incidents(filterOf(this.narrowing)), this.now());
    this.say(groups.size > 0);
    return GROUPS.flatMap((group) => {
      const incidents = groups.get(group) ?? [];
      return incidents.length === 0 ? [] : [{ kind: 'group' as const, group, incidents }];
    });
  }

  getTreeItem(node: IncidentNode): vscode.TreeItem {
    if (node.kind === 'group') {
      const open = node.group === 'Active' || node.group === 'Today' || this.narrowing.text !== '';
      const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
      const item = new vscode.TreeItem(node.group, open ? Expanded : Collapsed);
      item.id = `group/${node.group}`;
      item.description = String(node.incidents.length);
      item.contextValue = 'group';
      return item;
    }
    const { incident } = node;
    const facts = factsOf(incident);
    const label = incidentTitle(facts, this.now());
    const description = incidentDescription(facts, this.now());
    const item = new vscode.TreeItem(label);
    item.id = `incident/${incident.id}`;
    item.description = description;
    item.iconPath = themeIcon(incidentLook(incident.state));
    item.tooltip = incidentTooltip(incident);
    item.accessibilityInformation = { label: `${label}, ${description}, ${signsInLine(incident.title)}` };
    item.contextValue = isActive(incident.state) ? 'incident:active' : 'incident:closed';
    item.command = { command: 'unstuck.showEvidence', title: 'Show Evidence', arguments: [incident] };
    return item;
  }

  dispose(): void {
    this.tree.dispose();
    this.changes.dispose();
    this.changed.dispose();
  }
}

function incidentTooltip(incident: Incident): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**').appendText(signsInLine(incident.title)).appendMarkdown('**\n\n');
  text.appendText(
    [incident.agentName, incident.model]
      .filter((part) => part !== undefined)
      .map(signsInLine)
      .join(', '),
  );
  return text.appendMarkdown('\n\n').appendText(signsInLine(incident.why));
}
