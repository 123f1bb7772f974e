import { DETECTOR_IDS } from '../../model';
import { age, counted, cutWords, short } from '../format';
import { endingName } from '../incidents/description';
import { ruleName } from '../incidents/rules';

type Data = Readonly<Record<string, unknown>>;

const TEXT = 160;

/**
 * Describes an entry of the event log in one line. Entries may be of another version or written by hand: missing values and those of another type are
 * left out, and an unknown type is shown with the names and values of its fields.
 */
export function eventSentence(type: string, data: Data): string {
  const text = (name: string) => (typeof data[name] === 'string' ? cutWords(data[name], TEXT) : '');
  const number = (name: string) => (typeof data[name] === 'number' ? data[name] : null);
  const list = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(', ');
  const rule = ruleOf(text('heuristic') || text('detector'), text('rule'));
  switch (type) {
    case 'StuckObservation':
    case 'Observation': {
      const count = number('count');
      const head = list(text('level'), rule, count === null ? '' : `×${count}`, text('certainty'));
      return [head, text('why') || text('state'), text('suggestion')].filter((part) => part !== '').join(': ');
    }
    case 'Resolution': {
      const after = number('afterMs');
      const tokens = number('tokens');
      const outcome = text('outcome') === '' ? '' : endingName(text('outcome'));
      return list(
        outcome,
        rule,
        after === null ? '' : `after ${age(after)}`,
        tokens === null ? '' : `${short(tokens)} tokens`,
      );
    }
    case 'Escalation': {
      const attempts = number('attempts');
      const tried = attempts === null ? '' : `after ${counted(attempts, 'attempt')}`;
      return [list('needs you', rule, tried), text('why')].filter((part) => part !== '').join(': ');
    }
    case 'Delivery':
      return list(`${text('kind')} ${text('state')}`.trim(), rungOf(text('rung')), text('outcome'), sentBy(data));
    case 'Gate': {
      const gates = Array.isArray(data['gates']) ? data['gates'].map(gateOf).filter((one) => one !== '') : [];
      return [list(text('verdict'), text('claim')), gates.join('; ')].filter((part) => part !== '').join(': ');
    }
    case 'Recovery': {
      const attempt = number('attempt');
      return list(
        `${text('action')} ${text('result')}`.trim(),
        rungOf(text('rungKind')),
        text('reason').replaceAll('_', ' '),
        rule,
        attempt === null ? '' : `attempt ${attempt}`,
        sentBy(data),
      );
    }
    case 'Learning':
      return list(text('cause') || text('title'), text('tried').replaceAll('_', ' '), text('state'));
    case 'Feedback':
      return list(text('action').replaceAll('_', ' '), rule, text('message'));
    default:
      return fieldsOf(data);
  }
}

function ruleOf(detector: string, rule: string): string {
  const known = DETECTOR_IDS.find((id) => id === detector);
  const name = known ? ruleName(known, null) : detector;
  return rule === '' ? name : `${name} (${rule})`;
}

function rungOf(rung: string): string {
  return rung === '' ? '' : `step “${rung.replaceAll('_', ' ')}”`;
}

function sentBy(data: Data): string {
  return data['automated'] === true ? 'automatic' : data['automated'] === false ? 'by hand' : '';
}

function gateOf(gate: unknown): string {
  const { name, status, summary } = (gate ?? {}) as Data;
  const words = [name, status].filter((one) => typeof one === 'string').join(' ');
  return typeof summary === 'string' && summary !== '' ? `${words} (${cutWords(summary, TEXT)})` : words;
}

function fieldsOf(data: Data): string {
  return Object.entries(data)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}
