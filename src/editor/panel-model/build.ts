import { type MachineOfAgent, wasSeen } from '../../core/model';
import { reportRow } from '../../core/words';
import { withCode } from '../../core/words/parts';
import { patternsOf } from './patterns';
import { panelDelivery, messageBox } from './sections/deliveries';
import { gatesOf } from './sections/gates';
import { healthOf, vitalsOf } from './sections/health';
import { incidentFacts, panelIncident } from './sections/incident';
import { leadOf, relieved } from './sections/lead';
import { showable } from './showable';
import type { PanelSnapshot } from './snapshot';
import type { SnapshotInput, StepArrays } from './snapshot-input';
import { stampPatterns } from './timeline';
import { numbered, type StepsInTime, watchOf } from './watch';

/** Maximum number of deliveries and of other incidents in a panel. */
const DELIVERIES = 5;
const OTHERS = 20;

/** Makes the panel's snapshot of one agent, with texts that are safe to show. Pure. */
export function panelSnapshot(input: SnapshotInput): PanelSnapshot {
  return showable(snapshotOf(input));
}

function snapshotOf(input: SnapshotInput): PanelSnapshot {
  const { view, now } = input;
  const all = [...view.incidents, ...input.past.filter((past) => !view.incidents.some((one) => one.id === past.id))];
  const chosen = all.find((incident) => incident.id === input.chosen);
  const shown = chosen ?? view.incidents[0] ?? null;
  const deliveries = numbered(view.deliveries, all);
  const steps = stepsInTime(input.steps);
  const watch = watchOf(view, all, steps);
  const patterns = all.slice(0, OTHERS).reverse().flatMap(patternsOf);
  stampPatterns(input.steps.flags, input.steps.from, patterns);
  return {
    now,
    session: view.session,
    title: view.title,
    agentName: view.agentName,
    ...(view.model !== undefined && { model: view.model }),
    ...(view.branch !== undefined && { branch: view.branch }),
    ...(view.cwd !== undefined && { cwd: view.cwd }),
    ...(view.pid !== undefined && { pid: view.pid }),
    ...(view.run && { run: view.run }),
    state: view.state,
    ...(view.machine && machinePart(view.machine, input)),
    flags: input.flags,
    ...(input.surface && { surface: input.surface }),
    lead: relieved(leadOf(view, shown, chosen !== undefined, watch, input), chosen, all, input),
    incident: shown && panelIncident(shown),
    hints: view.hints.flatMap(({ why, evidence }) =>
      evidence.slice(-1).map(({ source }) => ({ ...source, why: withCode(why) })),
    ),
    others: all
      .filter((incident) => incident !== shown)
      .slice(0, OTHERS)
      .map((incident) => ({ id: incident.id, ...incidentFacts(incident) })),
    vitals: vitalsOf(view),
    health: healthOf(view),
    timeline: {
      ...input.steps,
      subjects: input.subjects,
      patterns,
      markers: input.markers,
      ...(view.doing && { silentSince: view.health.lastEventAt }),
    },
    nearMisses: view.nearMisses.map(({ detector, rule, nearest, reached, limit, heldBackBy, lastsSince, at }) => ({
      detector,
      rule,
      nearest,
      reached,
      limit,
      at,
      ...(lastsSince !== undefined && { lastsSince }),
      ...(heldBackBy !== undefined && { heldBackBy }),
    })),
    message: input.flags.past === true ? null : messageBox(shown, deliveries, input),
    deliveries: deliveries
      .slice(-DELIVERIES)
      .reverse()
      .map((one) => panelDelivery(one, steps, input)),
    coverage: {
      seen: view.coverage.seen,
      there: view.coverage.there,
      skipped: view.coverage.skipped,
      lastReadAt: view.coverage.lastReadAt,
    },
    ...(view.gates && { gates: gatesOf(view.gates) }),
    ...(input.recovery && { recovery: input.recovery }),
    ...(input.helpedBefore && { helpedBefore: input.helpedBefore }),
  };
}

function machinePart(
  machine: MachineOfAgent,
  { reports = [], now }: SnapshotInput,
): Pick<PanelSnapshot, 'machine' | 'reports'> {
  const { name, presence, lastSeenAt } = machine;
  return { machine: { name, presence, lastSeenAt }, reports: reports.flatMap((one) => reportRow(one, now) ?? []) };
}

function stepsInTime({ at, flags }: StepArrays): StepsInTime {
  return {
    length: at.length,
    at: (place) => at[place] ?? 0,
    wasSeen: (place) => wasSeen(flags[place] ?? 0),
  };
}
