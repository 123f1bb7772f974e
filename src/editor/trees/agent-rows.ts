import * as vscode from 'vscode';
import {
  type AgentState,
  type AgentView,
  type Delivery,
  type GateReport,
  type Incident,
  type Need,
  canContinue,
} from '../../core/model';
import { counted, whole } from '../../base/util/counts';
import {
  coverageWords,
  deliveryName,
  gateSign,
  gatesInShort,
  gateWords,
  NEED_NAMES,
  plain,
  ruleInShort,
  stateLabel,
  type Surface,
  withCode,
} from '../../core/words';
import { age, clockOn, cutWords, elapsed } from '../../core/words/format';
import { AT_THE_ROOT, type Workplace } from '../workplaces';
import type { HoverLine, TreeRow } from '../voice';
import type { MachineGroup } from './machine-rows';
import type { Note } from './notes';
import { deliveryWords, hasWhyLine, hintOf, lookOf, rowDescription, rowLabel, whyOf } from './row-words';
import { themeIcon } from './theme-icon';

/** A row of the view *Agents*: a session, or a fact about one. */
export type AgentNode =
  | { readonly kind: 'group'; readonly need: Need; readonly views: readonly AgentView[] }
  | { readonly kind: 'agent'; readonly view: AgentView }
  /** The line below an agent that needs a person: why, and what the agent wants. */
  | { readonly kind: 'why'; readonly view: AgentView }
  | { readonly kind: 'incident'; readonly view: AgentView; readonly incident: Incident }
  | { readonly kind: 'gates'; readonly view: AgentView; readonly report: GateReport }
  | { readonly kind: 'delivery'; readonly view: AgentView; readonly delivery: Delivery; readonly number: number }
  | ({ readonly kind: 'machine' } & MachineGroup)
  | ({ readonly kind: 'note' } & Note);

export type SessionNode = AgentNode & { readonly kind: 'agent' };
export type MachineNode = AgentNode & { readonly kind: 'machine' };

export type GroupNode = AgentNode & { readonly kind: 'group' };

/** Facts about a session that its view does not contain. */
export interface Surroundings {
  /** The part of its folder that differs from others in its group; empty for none. */
  readonly place: string;
  /** Fill level of its context; empty if that is not worth showing. */
  readonly context: string;
  readonly surface: Surface | null;
  readonly hasChildren: boolean;
  /** True if a person muted it for a while. */
  readonly isMuted: boolean;
}

/** Row of a group. */
export function groupRow({ need, views }: GroupNode): TreeRow {
  return {
    id: `group/${need}`,
    label: NEED_NAMES[need],
    description: whole(views.length),
    spoken: `${NEED_NAMES[need]}, ${counted(views.length, 'agent')}`,
    children: 'open',
    context: 'group',
  };
}

export function sessionTreeRow(view: AgentView, surroundings: Surroundings, now: number): TreeRow {
  const { place, context, hasChildren, isMuted } = surroundings;
  const label = stateLabel(view.state, view.title, view.agentName, now, hintOf(view, now));
  const description = rowDescription(view, now, place, context);
  const isOpen = hasWhyLine(view);
  return {
    // An editor that knows a row keeps it closed. So an agent that needs a person gets another row, which is open.
    id: isOpen ? `agent/${view.session}/open` : `agent/${view.session}`,
    label: rowLabel(view, now),
    description: [view.parent === undefined ? '' : 'sub-agent', description, isMuted ? 'muted' : '']
      .filter((part) => part !== '')
      .join(', '),
    icon: themeIcon(lookOf(view, now)),
    spoken: [label, context, place, whyOf(view, now)].filter((part) => part !== '').join(', '),
    ...(hasChildren && { children: isOpen ? 'open' : 'closed' }),
    context: contextOf(view, surroundings, now),
    command: { command: 'unstuck.showEvidence', title: 'Show Evidence', arguments: [view.session] },
  };
}

/** Makes the line below the row, which says why, with the same buttons. */
export function whyRow(view: AgentView, surroundings: Surroundings, why: string, now: number): TreeRow {
  return {
    id: `agent/${view.session}/why`,
    label: why,
    tooltip: why,
    context: contextOf(view, surroundings, now),
    command: { command: 'unstuck.showEvidence', title: 'Show Evidence', arguments: [view.session] },
  };
}

function contextOf(view: AgentView, { surface, isMuted }: Surroundings, now: number): string {
  // Another machine offers what it accepts, and nothing that needs the agent's files or terminals.
  if (view.machine) return ['remote', stateContext(view.state), ...view.machine.accepts].join(':');
  const muted = isMuted || view.incidents.some((incident) => incident.state === 'muted') ? ':muted' : '';
  const open = view.incidents.length > 0 ? ':incident' : '';
  const here = surface === null ? '' : `:${surface}`;
  const continues = canContinue(view.state, now) ? ':continue' : '';
  return `agent:${stateContext(view.state)}${continues}${open}${muted}${here}`;
}

/** Names the state for the menus of package.json: `waiting:permission`. */
function stateContext({ kind, waitingFor, probable }: AgentState): string {
  if (probable) return `${kind}:probable`;
  return waitingFor ? `${kind}:${waitingFor}` : kind;
}

export function incidentTreeRow(view: AgentView, incident: Incident, now: number): TreeRow {
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

export function deliveryRow(view: AgentView, delivery: Delivery, number: number, connected: boolean): TreeRow {
  return {
    id: `agent/${view.session}/message/${delivery.message.id}`,
    label: deliveryName(delivery.message.kind, number),
    description: deliveryWords(view, delivery, connected),
    icon: new vscode.ThemeIcon('send'),
    context: `delivery:${delivery.state}`,
  };
}

export function gatesRow(view: AgentView, report: GateReport, now: number): TreeRow {
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

/** Lines of the tooltip of a session. */
export function sessionHover(
  view: AgentView,
  sentence: string,
  place: Workplace | undefined,
  now: number,
): readonly HoverLine[] {
  const together = (...parts: readonly (string | undefined)[]) => parts.filter((part) => part !== undefined).join(', ');
  const lines: HoverLine[] = [
    { text: view.title, isStrong: true },
    { text: together(view.agentName, view.model) },
    ...(view.machine ? [{ icon: 'server', text: view.machine.name }] : []),
    ...(place
      ? [
          {
            icon: 'folder',
            text: together(place.folder, place.isAbove && AT_THE_ROOT, worktreeWords(place), place.branch),
          },
        ]
      : []),
    { icon: lookOf(view, now).icon, text: sentence },
  ];
  // The sentence of a working agent already contains the coverage.
  if (view.state.kind === 'working') return lines;
  const since = `Since ${clockOn(view.state.since, now)}, ${elapsed(now - view.state.since)}.`;
  const seen = `${coverageWords(view.coverage.seen, view.coverage.there)}.`;
  return [...lines, { text: `${since} ${seen}` }];
}

function worktreeWords({ worktree }: Workplace): string | undefined {
  return worktree === undefined ? undefined : `worktree ${worktree}`;
}

export function noteRow({ id, text, icon, command, argument }: Note): TreeRow {
  return {
    id: `note/${id}`,
    label: text,
    tooltip: text,
    context: 'note',
    ...(icon !== undefined && { icon: new vscode.ThemeIcon(icon) }),
    ...(command !== undefined && {
      command: { command, title: text, ...(argument !== undefined && { arguments: [argument] }) },
    }),
  };
}
