import { optionProblems } from '../detect/session/options';
import { isAgentId } from '../core/model';
import { DETECTOR_IDS, type DetectorId, PRESETS, type Preset } from '../core/model';
import { UsageError } from './output';

/** Reads `--preset`: one of eager, balanced, patient. */
export function readPreset(command: string, text: string | undefined): Preset {
  if (text === undefined) return 'balanced';
  const preset = PRESETS.find((one) => one === text);
  if (preset) return preset;
  throw new UsageError('usage', `unstuck ${command}: there is no preset "${text}". Use one of ${PRESETS.join(', ')}.`);
}

type Entries = Partial<Record<DetectorId, string | Record<string, number>>>;

/** Settings `unstuck.detectors` and `unstuck.budgets`, from the command line. */
interface RuleSettings {
  readonly detectors: Entries & { agents?: Record<string, Entries> };
  readonly budgets: Record<string, number>;
}

/** Reads `--set [agent:]detector=off|PRESET`, `[agent:]detector.option=number` and `budgets.name=number`. */
export function parseSettings(command: string, pairs: readonly string[]): RuleSettings {
  const settings: RuleSettings = { detectors: {}, budgets: {} };
  for (const pair of pairs) {
    const { agent, rule, option, text } =
      /^(?:(?<agent>[a-z-]+):)?(?<rule>[a-z_]+)(?:\.(?<option>[A-Za-z]+))?=(?<text>.+)$/.exec(pair)?.groups ?? {};
    if (rule === undefined || text === undefined) {
      const forms = 'detector=off, detector=patient, detector.stuck=6, agent:detector.stuck=6 or budgets.calls=500';
      throw new UsageError('usage', `unstuck ${command}: --set takes ${forms}, not "${pair}".`);
    }
    readAgent(command, agent);
    if (rule === 'budgets' && agent !== undefined) {
      const why = `budgets are for all agents; write --set ${pair.slice(agent.length + 1)}.`;
      throw new UsageError('usage', `unstuck ${command}: ${why}`);
    }
    if (option !== undefined && !Number.isFinite(Number(text))) {
      throw new UsageError('usage', `unstuck ${command}: "${text}" is not a number.`);
    }
    if (rule === 'budgets' && option !== undefined) settings.budgets[option] = Number(text);
    else if (DETECTOR_IDS.includes(rule as DetectorId))
      setRule(entriesFor(settings, agent), rule as DetectorId, option, text);
    else {
      const known = DETECTOR_IDS.join(', ');
      throw new UsageError('usage', `unstuck ${command}: there is no rule "${rule}". Use one of ${known}.`);
    }
  }
  const [problem] = optionProblems(settings);
  if (problem !== undefined) throw new UsageError('usage', `unstuck ${command}: --set ${problem}.`);
  return settings;
}

function entriesFor({ detectors }: RuleSettings, agent: string | undefined): Entries {
  if (agent === undefined) return detectors;
  detectors.agents ??= {};
  return (detectors.agents[agent] ??= {});
}

function setRule(entries: Entries, rule: DetectorId, option: string | undefined, text: string): void {
  const before = entries[rule];
  entries[rule] =
    option === undefined ? text : { ...(typeof before === 'object' ? before : {}), [option]: Number(text) };
}

export function readAgent(command: string, text: string | undefined): string | undefined {
  if (text === undefined || isAgentId(text)) return text;
  throw new UsageError('usage', `unstuck ${command}: there is no agent "${text}".`);
}
