import {
  type AgentView,
  DETECTOR_IDS,
  type Incident,
  type DetectorId,
  type DetectorOptions,
  type NearMiss,
} from '../../core/model';
import { cardOf } from '../../core/rules';
import {
  incidentLabel,
  heldBackWords,
  NEAR,
  pastOfRule,
  pastRead,
  reachedWords,
  ruleName,
  thresholdWords,
  wrongHere,
} from '../../core/words';
import type { Past, RuleRow, RulesMessage } from './rules';
import { showable } from './showable';

/** Facts for the page of rules. */
export interface RulesInput {
  readonly view: Pick<AgentView, 'session' | 'agentName' | 'title' | 'incidents' | 'nearMisses'>;
  /** All incidents of the session. A rule that reached its limit is no longer a near miss. */
  readonly incidents: readonly Incident[];
  readonly options: Readonly<Record<DetectorId, DetectorOptions>>;
  /** Verdicts of people on rules in this folder. */
  readonly said: readonly { readonly detector: DetectorId; readonly subject: string }[];
  /** Returns the possible changes of a rule. */
  readonly means: (detector: DetectorId) => Pick<RuleRow, 'isOwn' | 'canBeLess' | 'canBeMore'>;
  readonly notice: string;
  /** Alarms that the presets would have raised; null until it is known which transcripts there are. */
  readonly past: Past | null;
  /** Number of days that are read; null for the whole history. */
  readonly days: number | null;
}

/** Makes the page of rules of one agent: first the rules that hold it or came near, then the rest in the order of the documentation. Pure. */
export function rulesMessage({ view, incidents, options, said, means, notice, past, days }: RulesInput): RulesMessage {
  const rows = DETECTOR_IDS.filter((id) => cardOf(id).foundBy === undefined).map((id) => {
    const open = view.incidents.find(({ detector }) => isOf(detector, id));
    const incident = open ?? incidents.findLast(({ detector }) => isOf(detector, id));
    const misses = view.nearMisses.filter(({ detector, heldBackBy, ...one }) => {
      return isOf(detector, id) && (shareOf(one) >= NEAR || heldBackBy !== undefined);
    });
    const miss = misses.sort((a, b) => shareOf(b) - shareOf(a))[0];
    const row: RuleRow = {
      detector: id,
      name: ruleName(id, null),
      on: options[id].on,
      limits: thresholdWords(id, { ...options[id], on: true }),
      counts: cardOf(id).counts,
      incident: incident ? incidentLabel(incident.detector, incident.rule, incident.subject, incident.count) : '',
      isOpen: open !== undefined,
      reached: miss ? reachedWords(miss.detector, miss.reached, miss.limit) : '',
      nearest: miss?.nearest ?? '',
      heldBackBy: miss ? heldBackWords(miss) : '',
      said: wrongHere(said.filter(({ detector }) => isOf(detector, id))),
      past: past && past.read > 0 ? pastOfRule(days, past.of(id)) : '',
      ...means(id),
    };
    return { row, share: open ? 3 : incident ? 2 : miss ? shareOf(miss) : -1 };
  });
  // The sort is stable, so equally near rules keep their order.
  const sorted = rows.sort((a, b) => b.share - a.share).map(({ row }) => row);
  const { session, agentName, title } = view;
  return showable({
    session,
    agentName,
    title,
    rows: sorted,
    notice,
    past: pastRead(days, past),
    hasMorePast: days !== null,
  });
}

/** Returns true if a finding belongs to a detector: some detectors only name a part of what another one finds, and are set together with it. */
function isOf(found: DetectorId, detector: DetectorId): boolean {
  return found === detector || cardOf(found).foundBy === detector;
}

/** Progress of a rule towards its limit, 0..1. */
function shareOf({ reached, limit }: Pick<NearMiss, 'reached' | 'limit'>): number {
  return limit > 0 ? Math.min(1, reached / limit) : 0;
}
