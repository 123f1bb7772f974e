import { optionProblems } from '../detect/session/options';
import { isAgentId } from '../model';
import { DETECTOR_IDS, type DetectorId, PRESETS, type Preset } from '../model';
import { UsageError } from './output';

/** `--preset`: one of eager, balanced, patient. */
export function readPreset(command: string, text: string | undefined): Preset {
  if (text === undefined) return 'balanced';
  const preset = PRESETS.find((one) => one === text);
  if (preset) return preset;
  throw new UsageError('usage', `unstuck ${command}: there is no preset "${text}"; there are ${PRESETS.join(', ')}.`);
}

/** `--set detector.option=value`, as the object that the setting `unstuck.detectors` holds. */
export function readSettings(
  command: string,
  pairs: readonly string[],
): Record<string, Record<string, number | boolean>> {
  const settings: Record<string, Record<string, number | boolean>> = {};
  for (const pair of pairs) {
    const match = /^([a-z_]+)\.([A-Za-z]+)=(.+)$/.exec(pair);
    const detector = match?.[1];
    const option = match?.[2];
    const text = match?.[3];
    if (!detector || !option || text === undefined) {
      throw new UsageError('usage', `unstuck ${command}: --set takes detector.option=value, not "${pair}".`);
    }
    if (!DETECTOR_IDS.includes(detector as DetectorId)) {
      throw new UsageError(
        'usage',
        `unstuck ${command}: there is no detector "${detector}"; there are ${DETECTOR_IDS.join(', ')}.`,
      );
    }
    const value = text === 'true' || text === 'on' ? true : text === 'false' || text === 'off' ? false : Number(text);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new UsageError('usage', `unstuck ${command}: "${text}" is not a number.`);
    }
    settings[detector] = { ...settings[detector], [option]: value };
  }
  const [problem] = optionProblems(settings);
  if (problem !== undefined) throw new UsageError('usage', `unstuck ${command}: --set ${problem}.`);
  return settings;
}

export function readAgent(command: string, text: string | undefined): string | undefined {
  if (text === undefined || isAgentId(text)) return text;
  throw new UsageError('usage', `unstuck ${command}: there is no agent "${text}".`);
}
