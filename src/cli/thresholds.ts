import { optionProblems } from '../detect/session/options';
import { isAgentId } from '../core/model';
import { DETECTOR_IDS, type DetectorId, PRESETS, type Preset } from '../core/model';
import { UsageError } from './output';

/** `--preset`: one of eager, balanced, patient. */
export function readPreset(command: string, text: string | undefined): Preset {
  if (text === undefined) return 'balanced';
  const preset = PRESETS.find((one) => one === text);
  if (preset) return preset;
  throw new UsageError('usage', `unstuck ${command}: there is no preset "${text}"; there are ${PRESETS.join(', ')}.`);
}

type Entries = Partial<Record<DetectorId, Record<string, number | boolean>>>;
type DetectorSettings = Entries & { agents?: Record<string, Entries> };

/** `--set [agent:]detector[.option]=value`, as the object that the setting `unstuck.detectors` holds. */
export function readSettings(command: string, pairs: readonly string[]): DetectorSettings {
  const settings: DetectorSettings = {};
  for (const pair of pairs) {
    const { agent, detector, option, text } =
      /^(?:(?<agent>[a-z-]+):)?(?<detector>[a-z_]+)(?:\.(?<option>[A-Za-z]+))?=(?<text>.+)$/.exec(pair)?.groups ?? {};
    if (detector === undefined || text === undefined) {
      throw new UsageError(
        'usage',
        `unstuck ${command}: --set takes detector.option=value, detector=off or agent:detector.option=value, not "${pair}".`,
      );
    }
    if (!DETECTOR_IDS.includes(detector as DetectorId)) {
      throw new UsageError(
        'usage',
        `unstuck ${command}: there is no detector "${detector}"; there are ${DETECTOR_IDS.join(', ')}.`,
      );
    }
    readAgent(command, agent);
    const value = valueOf(text);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new UsageError('usage', `unstuck ${command}: "${text}" is not a number.`);
    }
    if (option === undefined && typeof value === 'number') {
      const example = `${detector}.warn=${value}`;
      throw new UsageError('usage', `unstuck ${command}: "${pair}" names no option; write for example ${example}.`);
    }
    const agents = settings.agents ?? {};
    const entries: Entries = agent === undefined ? settings : (agents[agent] ??= {});
    if (agent !== undefined) settings.agents = agents;
    entries[detector as DetectorId] = { ...entries[detector as DetectorId], [option ?? 'on']: value };
  }
  const [problem] = optionProblems(settings);
  if (problem !== undefined) throw new UsageError('usage', `unstuck ${command}: --set ${problem}.`);
  return settings;
}

function valueOf(text: string): number | boolean {
  return text === 'true' || text === 'on' ? true : text === 'false' || text === 'off' ? false : Number(text);
}

export function readAgent(command: string, text: string | undefined): string | undefined {
  if (text === undefined || isAgentId(text)) return text;
  throw new UsageError('usage', `unstuck ${command}: there is no agent "${text}".`);
}
