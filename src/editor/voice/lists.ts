import * as vscode from 'vscode';
import { MOST, inertLine } from './inert';

/** A row of a list. Its icon is ours; every other field may contain words of others. */
export interface ListRow {
  readonly label: string;
  /** Name of a codicon. */
  readonly icon?: string;
  readonly description?: string;
  readonly detail?: string;
  /** True if it is ticked at first. */
  readonly picked?: boolean;
  /** True for a heading between rows, which cannot be picked. */
  readonly isHeading?: boolean;
}

export interface ListQuestion {
  readonly placeHolder: string;
  /** True if typing also searches the descriptions and details. */
  readonly matchOnDescription?: boolean;
  readonly matchOnDetail?: boolean;
}

export interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly placeHolder?: string;
  readonly value?: string;
  /** Returns the fault of a text; null for none. */
  readonly problem?: (text: string) => string | null;
}

export interface SearchQuestion<Row> {
  readonly title: string;
  readonly placeHolder: string;
  /** Initial text of the box. */
  readonly value: string;
  readonly changed: (text: string, ticked: readonly Row[]) => void;
}

/** Lets a person pick one of the rows; undefined for none. */
export async function pickOne<Row extends ListRow>(
  rows: readonly Row[] | Promise<readonly Row[]>,
  question: ListQuestion,
): Promise<Row | undefined> {
  const items = 'then' in rows ? rows.then((all) => all.map(itemOf)) : rows.map(itemOf);
  return (await vscode.window.showQuickPick(items, optionsOf(question)))?.row;
}

/** Lets a person tick some of the rows; undefined if the list was closed. */
export async function pickSome<Row extends ListRow>(
  rows: readonly Row[],
  question: ListQuestion,
): Promise<readonly Row[] | undefined> {
  const options = { ...optionsOf(question), canPickMany: true } as const;
  return (await vscode.window.showQuickPick(rows.map(itemOf), options))?.map(({ row }) => row);
}

/**
 * Shows a box for words over rows that can be ticked. `changed` is called for each key and each tick. Resolves to true if the person pressed Enter.
 * Typing hides no row: the words are for `changed`.
 */
export function searchBox<Row extends ListRow>(
  rows: readonly Row[],
  { title, placeHolder, value, changed }: SearchQuestion<Row>,
): Promise<boolean> {
  const box = vscode.window.createQuickPick<ReturnType<typeof itemOf<Row>>>();
  box.title = inertLine(title, MOST.label);
  box.placeholder = inertLine(placeHolder, MOST.label);
  box.ignoreFocusOut = true;
  box.canSelectMany = true;
  box.items = rows.map((row) => ({ ...itemOf(row), alwaysShow: true }));
  box.selectedItems = box.items.filter(({ picked }) => picked === true);
  box.value = value;
  const report = () =>
    changed(
      box.value,
      box.selectedItems.map(({ row }) => row),
    );
  return new Promise((resolve) => {
    box.onDidChangeValue(report);
    box.onDidChangeSelection(report);
    box.onDidAccept(() => {
      resolve(true);
      box.hide();
    });
    box.onDidHide(() => {
      resolve(false);
      box.dispose();
    });
    box.show();
  });
}

/** Asks for a line of text. Its initial value is what the person edits, so it is shown as it is. */
export function askText({ title, prompt, placeHolder, value, problem }: TextQuestion): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    ...STAYS_OPEN,
    title: inertLine(title, MOST.label),
    prompt: inertLine(prompt, MOST.sentence),
    ...(placeHolder !== undefined && { placeHolder: inertLine(placeHolder, MOST.label) }),
    ...(value !== undefined && { value }),
    ...(problem && {
      validateInput: (text) => {
        const said = problem(text);
        return said === null ? null : inertLine(said, MOST.sentence);
      },
    }),
  });
}

/**
 * Without this, VS Code closes a list or an input box that a command of the palette opens, seen about once in sixty times: the palette returns the
 * focus to a panel that had it, but late, and so takes it from the new list (https://github.com/microsoft/vscode/issues/93950). Escape closes it.
 */
const STAYS_OPEN = { ignoreFocusOut: true } as const;

function optionsOf({ placeHolder, matchOnDescription, matchOnDetail }: ListQuestion) {
  return {
    ...STAYS_OPEN,
    placeHolder: inertLine(placeHolder, MOST.label),
    ...(matchOnDescription !== undefined && { matchOnDescription }),
    ...(matchOnDetail !== undefined && { matchOnDetail }),
  };
}

function itemOf<Row extends ListRow>(row: Row): vscode.QuickPickItem & { readonly row: Row } {
  const { label, icon, description, detail, picked, isHeading } = row;
  const text = inertLine(label, MOST.label);
  return {
    label: icon === undefined ? text : `$(${icon}) ${text}`,
    ...(description !== undefined && { description: inertLine(description, MOST.label) }),
    ...(detail !== undefined && { detail: inertLine(detail, MOST.label) }),
    ...(picked !== undefined && { picked }),
    ...(isHeading === true && { kind: vscode.QuickPickItemKind.Separator }),
    row,
  };
}
