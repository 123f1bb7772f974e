import * as vscode from 'vscode';
import { type HoverLine, hoverOf } from './hover';
import { MOST, inertLine } from './inert';

/** Number of rows whose commands are known at a time; the oldest is forgotten. A side bar draws some hundred rows. */
const MOST_OPENERS = 2_000;

/** A row of a tree. Its icon is ours; every other text may contain words of others. */
export interface TreeRow {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly icon?: vscode.ThemeIcon;
  readonly tooltip?: string | readonly HoverLine[];
  /** Text for a screen reader instead of label and description. */
  readonly spoken?: string;
  /** Initial state of its children; absent if it has none. */
  readonly children?: 'open' | 'closed';
  /** Its `viewItem` in the menus of package.json. */
  readonly context: string;
  readonly command?: { readonly command: string; readonly title: string; readonly arguments?: readonly unknown[] };
}

/** The content of a tree. */
export interface TreeRows<Node> extends Pick<vscode.TreeDataProvider<Node>, 'onDidChangeTreeData' | 'getChildren'> {
  row(node: Node): TreeRow;
  /** Called whenever VS Code fetches rows. */
  fetched?(): void;
  /** Returns the tooltip of a row that has none of its own, made when the pointer rests on it; undefined for none. */
  hover?(node: Node): readonly HoverLine[] | undefined;
}

/** A tree of the side bar. */
export class Tree<Node> implements vscode.Disposable {
  private readonly view: vscode.TreeView<Node>;
  readonly onDidChangeVisibility: vscode.TreeView<Node>['onDidChangeVisibility'];
  private readonly openers: Openers;

  constructor(id: string, rows: TreeRows<Node>, { canSelectMany = false }: { readonly canSelectMany?: boolean } = {}) {
    const openers = new Openers(id);
    this.openers = openers;
    this.view = vscode.window.createTreeView(id, {
      treeDataProvider: {
        ...(rows.onDidChangeTreeData && { onDidChangeTreeData: rows.onDidChangeTreeData }),
        getChildren: (node) => {
          rows.fetched?.();
          return rows.getChildren(node);
        },
        getTreeItem: (node) => itemOf(rows.row(node), openers),
        ...(rows.hover && {
          resolveTreeItem: (item: vscode.TreeItem, node: Node) => {
            const lines = rows.hover?.(node);
            if (lines) item.tooltip = hoverOf(lines);
            return item;
          },
        }),
      },
      showCollapseAll: false,
      canSelectMany,
    });
    this.onDidChangeVisibility = this.view.onDidChangeVisibility;
  }

  get visible(): boolean {
    return this.view.visible;
  }

  /** Shows a text above the rows, or removes it. Sets only what changed, since each message makes VS Code draw the tree (paced-changes.ts). */
  sayAbove(text: string | undefined): void {
    const message = text === undefined ? undefined : inertLine(text, MOST.sentence);
    // `TreeView.message` is '' before it is first set. Its type does not allow undefined, but undefined removes a message.
    const view: { message?: unknown } = this.view;
    if ((view.message || undefined) !== message) view.message = message;
  }

  /** Sets the number on the icon of the side bar; 0 for none. Setting it sends it to the window each time, even if it is the same. */
  setBadge(value: number, tooltip: string): void {
    if (value === (this.view.badge?.value ?? 0)) return;
    this.view.badge = value === 0 ? undefined : { value, tooltip: inertLine(tooltip, MOST.sentence) };
  }

  dispose(): void {
    this.openers.dispose();
    this.view.dispose();
  }
}

type Command = NonNullable<TreeRow['command']>;

/**
 * Commands of rows, one for each. VS Code forgets the arguments of a command when its row is drawn again, and a click just before the window shows
 * the new row fails ("Actual command not found"). So no row's command has arguments; each row has its own command, which knows them.
 */
class Openers implements vscode.Disposable {
  private readonly known = new Map<
    string,
    { readonly name: string; command: Command; readonly registration: vscode.Disposable }
  >();
  private made = 0;

  constructor(private readonly tree: string) {}

  /** Returns the name of a command without arguments that does what this one does. */
  of(row: string, command: Command): string {
    if (!command.arguments) return command.command;
    const known = this.known.get(row);
    if (known) {
      known.command = command;
      // Of the rows that are known, the one that was not drawn for the longest time comes first.
      this.known.delete(row);
      this.known.set(row, known);
      return known.name;
    }
    const name = `${this.tree}.open${++this.made}`;
    const run = () => vscode.commands.executeCommand(opener.command.command, ...(opener.command.arguments ?? []));
    const opener = { name, command, registration: vscode.commands.registerCommand(name, run) };
    this.known.set(row, opener);
    const [oldest] = this.known;
    if (this.known.size > MOST_OPENERS && oldest) {
      oldest[1].registration.dispose();
      this.known.delete(oldest[0]);
    }
    return name;
  }

  dispose(): void {
    for (const { registration } of this.known.values()) registration.dispose();
    this.known.clear();
  }
}

function itemOf(
  { id, label, description, icon, tooltip, spoken, children, context, command }: TreeRow,
  openers: Openers,
): vscode.TreeItem {
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  const state = children === undefined ? None : children === 'open' ? Expanded : Collapsed;
  const item = new vscode.TreeItem(inertLine(label, MOST.label), state);
  item.id = id;
  item.contextValue = context;
  if (description !== undefined) item.description = inertLine(description, MOST.label);
  if (icon) item.iconPath = icon;
  if (tooltip !== undefined)
    item.tooltip = typeof tooltip === 'string' ? inertLine(tooltip, MOST.sentence) : hoverOf(tooltip);
  if (spoken !== undefined) item.accessibilityInformation = { label: inertLine(spoken, MOST.sentence) };
  if (command)
    item.command = {
      command: openers.of(id, command),
      title: inertLine(command.title, MOST.label),
    };
  return item;
}
