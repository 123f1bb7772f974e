import type { Node } from 'jsonc-parser';
import { fail, ok, type Result } from '../../../base/util/result';
import {
  type Insertion,
  insert,
  insertInto,
  type JsonItem,
  parseJsonTree,
  propertyOf,
  removeFrom,
  styleOf,
} from './json-edit';

/** One hook of Unstuck, in the list of its event. */
export interface HookEntry {
  readonly event: string;
  readonly command: Readonly<Record<string, unknown>>;
}

/** Form of an agent's hooks in its settings. */
export interface HookLayout {
  /** True if hooks are in groups, `{ "hooks": { "<event>": [ { "hooks": [ <hook> ] } ] } }`; otherwise `{ "hooks": { "<event>": [ <hook> ] } }`. */
  readonly grouped: boolean;
  /** The key of a hook that holds its command line. */
  readonly commandKey: 'command' | 'bash';
  /** Content before the hooks in a file that Unstuck creates. */
  readonly head: Readonly<Record<string, unknown>>;
  /** True if the agent reads neither comments nor trailing commas. */
  readonly strict: boolean;
}

/** The layout shared by several agents. */
export const GROUPED: HookLayout = { grouped: true, commandKey: 'command', head: {}, strict: false };

export type SettingsFault = 'invalid_json' | 'unexpected_form';

/** An insertion that can be removed again byte for byte. */
export interface Addition {
  readonly text: string;
  /** Offset and length of each insertion in `text`. */
  readonly spans: readonly (readonly [number, number])[];
  /** Containers that were already there. */
  readonly kept: KeptContainers;
}

export interface KeptContainers {
  readonly hooks: boolean;
  readonly events: readonly string[];
}

/** A hook found in a file. */
export interface FoundHook {
  readonly event: string;
  readonly command: Readonly<Record<string, unknown>>;
  /** Further fields of its group, such as `matcher`. */
  readonly group: Readonly<Record<string, unknown>>;
  /** Position of its group in the event, and of the hook in that group, both 0-based. */
  readonly groupIndex: number;
  readonly index: number;
}

/** Returns whether the file has no settings. An empty file counts as one. */
export function hasNoSettings(text: string): boolean {
  return text.trim() === '';
}

/** Returns whether the agent loads this file. Some read neither comments nor trailing commas. */
export function isReadable(text: string, { strict }: HookLayout): boolean {
  return !strict || isStrictJson(text.startsWith('\ufeff') ? text.slice(1) : text);
}

/** Adds hooks to a settings file. Null: there is none yet. */
export function addHooks(
  before: string | null,
  entries: readonly HookEntry[],
  layout: HookLayout = GROUPED,
): Result<Addition, SettingsFault> {
  const groupOf = ({ command }: HookEntry): object => (layout.grouped ? { hooks: [command] } : command);
  if (before === null || hasNoSettings(before)) {
    const hooks = Object.fromEntries(entries.map((entry) => [entry.event, [groupOf(entry)]]));
    const blank = before ?? '';
    const added = `${JSON.stringify({ ...layout.head, hooks }, null, 2)}\n`;
    return ok({ text: blank + added, spans: [[blank.length, added.length]], kept: { hooks: false, events: [] } });
  }
  const root = parseJsonTree(before);
  if (!root || !isReadable(before, layout)) return fail('invalid_json');
  if (root.type !== 'object') return fail('unexpected_form');
  const style = styleOf(before);
  const hooks = propertyOf(root, 'hooks');
  if (!hooks) {
    const value = Object.fromEntries(entries.map((entry) => [entry.event, [groupOf(entry)]]));
    return ok({
      ...insert(before, insertInto(before, root, [{ name: 'hooks', value }], style)),
      kept: { hooks: false, events: [] },
    });
  }
  if (hooks.type !== 'object') return fail('unexpected_form');
  const insertions: Insertion[] = [];
  const missing: JsonItem[] = [];
  const events: string[] = [];
  for (const entry of entries) {
    const groups = propertyOf(hooks, entry.event);
    if (!groups) missing.push({ name: entry.event, value: [groupOf(entry)] });
    else if (groups.type === 'array') {
      events.push(entry.event);
      insertions.push(...insertInto(before, groups, [{ value: groupOf(entry) }], style));
    } else return fail('unexpected_form');
  }
  if (missing.length > 0) insertions.push(...insertInto(before, hooks, missing, style));
  return ok({ ...insert(before, insertions), kept: { hooks: true, events } });
}

/** Returns all hooks of a settings file; null if it is not JSON. Entries of another form are left out. */
export function hooksOf(text: string, layout: HookLayout = GROUPED): readonly FoundHook[] | null {
  if (hasNoSettings(text)) return [];
  const root = parseJsonTree(text);
  if (!root) return null;
  return walk(root, layout).map(({ event, groups, group, list, hook }) => {
    const { hooks: _, ...rest } = valueOf(group) as Record<string, unknown>;
    return {
      event,
      command: valueOf(hook) as Record<string, unknown>,
      group: layout.grouped ? rest : {},
      groupIndex: groups.children?.indexOf(group) ?? 0,
      index: layout.grouped ? (list.children?.indexOf(hook) ?? 0) : 0,
    };
  });
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes Unstuck's hooks from a file that was edited since: each hook, its group if that is then empty, and everything above it that is then empty,
 * except for what was there before. Null if the file is not JSON.
 */
export function removeHooks(
  before: string,
  isOurs: (command: string) => boolean,
  kept: KeptContainers,
  layout: HookLayout = GROUPED,
): string | null {
  let text = before;
  for (;;) {
    const root = parseJsonTree(text);
    if (!root) return null;
    const found = walk(root, layout).find(({ hook }) =>
      isOurs(String(propertyOf(hook, layout.commandKey)?.value ?? '')),
    );
    if (!found) return text;
    text = removeOne(text, root, found, kept);
  }
}

interface Place {
  readonly event: string;
  /** The event's array of groups, one group, its array of hooks, and one hook. Without groups, a hook is its own group. */
  readonly groups: Node;
  readonly group: Node;
  readonly list: Node;
  readonly hook: Node;
}

function walk(root: Node, { grouped }: HookLayout): readonly Place[] {
  const places: Place[] = [];
  const hooks = root.type === 'object' ? propertyOf(root, 'hooks') : undefined;
  for (const property of hooks?.type === 'object' ? (hooks.children ?? []) : []) {
    const [name, groups] = property.children ?? [];
    for (const group of groups?.type === 'array' ? (groups.children ?? []) : []) {
      const list = !grouped ? groups : group.type === 'object' ? propertyOf(group, 'hooks') : undefined;
      const hooksOfGroup = grouped ? (list?.type === 'array' ? (list.children ?? []) : []) : [group];
      for (const hook of hooksOfGroup) {
        if (groups && list && hook.type === 'object')
          places.push({ event: String(name?.value), groups, group, list, hook });
      }
    }
  }
  return places;
}

function removeOne(
  text: string,
  root: Node,
  { event, groups, group, list, hook }: Place,
  kept: KeptContainers,
): string {
  if ((list.children?.length ?? 0) > 1) return removeFrom(text, list, hook);
  if ((groups.children?.length ?? 0) > 1 || kept.events.includes(event)) return removeFrom(text, groups, group);
  const hooks = groups.parent?.parent;
  if (!hooks || !groups.parent) return text;
  if ((hooks.children?.length ?? 0) > 1 || kept.hooks || !hooks.parent) return removeFrom(text, hooks, groups.parent);
  return removeFrom(text, root, hooks.parent);
}

function valueOf(node: Node): unknown {
  switch (node.type) {
    case 'object':
      return Object.fromEntries(
        (node.children ?? []).map(({ children }) => [
          String(children?.[0]?.value),
          children?.[1] ? valueOf(children[1]) : null,
        ]),
      );
    case 'array':
      return (node.children ?? []).map(valueOf);
    default:
      return node.value;
  }
}
