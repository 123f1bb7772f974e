import type { AgentView, Incident } from '../model';
import { age, ageInWords, clock, clockSeconds, counted, cutWords, times } from '../protocol/format';
import { plain, withCode } from '../protocol/parts';
import { signsInLine } from '../protocol/signs';
import { incidentLabel, ruleInShort } from '../protocol/texts/rules';

/** Characters of a title in a tree (design/UI.md section 9). */
const TREE_TITLE = 26;
const TOAST_TITLE = 60;

/** How an agent's state is shown in lists: design/UI.md 7.1, one row of its table. */
export interface StateWords {
  readonly icon: string;
  /** Theme colour id; undefined: the icon's own. */
  readonly color: string | undefined;
  readonly description: string;
  /** The tooltip's sentence. */
  readonly sentence: string;
  readonly accessible: string;
}

export function treeTitle(view: Pick<AgentView, 'title'>): string {
  return cutWords(signsInLine(view.title), TREE_TITLE);
}

export function stateWords(view: AgentView, now: number): StateWords {
  const { state } = view;
  const since = now - state.since;
  const incident = view.incidents[0];
  const title = signsInLine(view.title);
  const why = incident ? plain(withCode(signsInLine(incident.why))) : '';
  const row = (icon: string, color: string | undefined, description: string, sentence: string, accessible: string): StateWords => ({
    icon,
    color,
    description,
    sentence,
    accessible: `${title}, ${accessible}`,
  });
  switch (state.kind) {
    case 'escalated':
      return row('bell-dot', 'list.errorForeground', `asks you, ${age(since)}`, 'Recovery ended. It is your turn.', `asks you, ${ageInWords(since)}, ${view.agentName}`);
    case 'stuck':
      return row('warning', 'list.warningForeground', `stuck ${age(since)}`, `Stuck for ${age(since)}: ${why}`, `stuck, ${ageInWords(since)}, ${view.agentName}`);
    case 'recovering': {
      const taken = view.deliveries.filter((one) => one.times.taken !== undefined).at(-1);
      const at = taken?.times.taken ?? state.since;
      return row('debug-restart', 'charts.blue', `recovering, ${age(since)}`, `The nudge was taken at ${clockSeconds(at)}. Watching the next 5 calls.`, `recovering, ${view.agentName}`);
    }
    case 'waiting':
      if (state.waitingFor === 'turn_end') {
        return row('comment', undefined, `your turn, ${age(since)}`, `Its turn ended ${age(since)} ago.`, `your turn, ${ageInWords(since)}, ${view.agentName}`);
      }
      return row(
        'comment-discussion',
        'charts.blue',
        `waits ${age(since)}`,
        state.question ? `Asks: ${signsInLine(state.question)}` : state.waitingFor === 'permission' ? 'Asks for permission.' : 'Asks a question.',
        `waits for you, ${ageInWords(since)}, ${view.agentName}`,
      );
    case 'stalled':
      return row(
        'watch',
        undefined,
        `silent ${age(since)}`,
        `Nothing written for ${age(since)}${view.doing ? ` while running ${signsInLine(view.doing.subject)}` : ''}. A guess: it may only be slow.`,
        `silent, ${ageInWords(since)}, ${view.agentName}`,
      );
    case 'not_monitored':
      return row('eye-closed', 'descriptionForeground', 'not monitored', 'The transcript grows, but no action was recognised in the last lines.', `not monitored, ${view.agentName}`);
    case 'working': {
      if (incident) {
        const short = ruleInShort(incident.detector, incident.rule, incident.count, age(now - incident.firstAt));
        return row('lightbulb', 'descriptionForeground', short, why, `working, hint: ${short}, ${view.agentName}`);
      }
      const last = view.health.lastNewAt;
      const news = last === undefined ? 'No result yet.' : `Last new result ${age(now - last)} ago.`;
      return row('pulse', undefined, view.agentName, `${news} ${coverageWords(view)}`, `working, ${view.agentName}`);
    }
    case 'finished': {
      const died = state.ended === 'died';
      const how = died ? 'Ended in mid-turn' : state.ended === 'error' ? 'Ended with an error' : state.ended === 'interrupted' ? 'Interrupted' : 'Finished';
      return row(
        died ? 'circle-slash' : 'check',
        'descriptionForeground',
        `${died ? 'ended in mid-turn' : 'finished'}, ${age(since)} ago`,
        `${how} ${age(since)} ago, after ${age(state.since - view.health.startedAt)}.`,
        `${how.toLowerCase()}, ${view.agentName}`,
      );
    }
  }
}

export function coverageWords(view: AgentView): string {
  return `${view.coverage.seen} of ${view.coverage.there} steps seen.`;
}

/** Label, icon and description of an incident in the list (design/UI.md 7.2). */
export function incidentWords(incident: Incident, now: number): { icon: string; color: string | undefined; label: string; description: string } {
  const span = (incident.resolvedAt ?? now) - incident.firstAt;
  const label = incidentLabel(incident.detector, incident.rule, signsInLine(incident.subject), incident.count, age(span));
  const row = (icon: string, color: string | undefined, description: string) => ({ icon, color, label, description });
  switch (incident.state) {
    case 'open':
      return row(incident.level === 'stuck' ? 'warning' : 'lightbulb', incident.level === 'stuck' ? 'list.warningForeground' : 'descriptionForeground', age(span));
    case 'nudged':
      return row('warning', 'list.warningForeground', `nudged ${times(incident.attempts.length)}`);
    case 'escalated':
      return row('bell-dot', 'list.errorForeground', 'asks you');
    case 'recovered':
      return row('pass', 'charts.green', `${outcomeWord(incident)}, ${age(span)}`);
    case 'muted':
      return row('bell-slash', undefined, 'muted');
    case 'unknown':
      return row('question', undefined, 'unknown');
    case 'ended':
      return row('circle-slash', undefined, 'session ended');
  }
}

function outcomeWord(incident: Incident): string {
  switch (incident.outcome) {
    case 'nudge':
      return 'nudge';
    case 'restart':
      return 'restart';
    case 'block':
      return 'blocked call';
    case 'gate':
      return 'gates';
    case 'user':
      return 'your message';
    case 'by_itself':
    case null:
      return 'by itself';
  }
}

/** One line about a message for the tree: `acted 17:08, same result`. */
export function deliveryWords(delivery: AgentView['deliveries'][number]): string {
  const at = delivery.times[delivery.state];
  const when = at === undefined ? '' : ` ${clock(at)}`;
  const result = delivery.outcome === 'changed' ? ', new result' : delivery.outcome === 'same' ? ', same result' : '';
  return `${delivery.state}${when}${result}`;
}

/** Text of the notification of an incident (design/UI.md 7.7). */
export function toastText(incident: Incident): string {
  const title = `“${cutWords(signsInLine(incident.title), TOAST_TITLE)}”`;
  const call = signsInLine(incident.subject);
  const { count } = incident;
  switch (incident.detector) {
    case 'repeating_action':
    case 'repeating_outcome':
      return `${title} is stuck: ${call} gave the same result ${times(count)}.`;
    case 'action_error_alternation':
      return `${title} is stuck: two steps take turns, ${counted(count, 'round')} with the same results.`;
    case 'cycle':
      return `${title} is stuck: its steps take turns, ${counted(count, 'round')} with the same results.`;
    case 'condensation_loop':
      return `${title} is stuck: its context was condensed ${times(count)} and it went back to ${call}.`;
    case 'token_exhaustion':
      return `${title} has used ${Math.floor(count)} % of its context, with no progress.`;
    case 'consecutive_failures':
      return `${title} is stuck: ${counted(count, 'call')} in a row failed.`;
    case 'validation_failure':
      return `${title} is stuck: ${counted(count, 'malformed call')} in a row.`;
    case 'context_pollution':
      return `${title} tries again what failed before: ${call}.`;
    case 'monologue':
      return `${title} is stuck: the same message came ${times(count)} without a tool call.`;
    case 'text_loop':
      return `${title} is stuck: the same text came ${times(count)}.`;
    case 'gate_blocked':
      return `${title} says it is done, but its checks failed.`;
    case 'stall':
    case 'max_runtime':
    case 'oversized_response':
    case 'premature_action':
    case 'over_helpfulness':
    case 'rate_limited':
      return `${title}: ${ruleInShort(incident.detector, incident.rule, count)}.`;
  }
}
