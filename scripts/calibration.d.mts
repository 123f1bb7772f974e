type Level = 'warn' | 'stuck';
type Shares = Readonly<Record<Level, number>>;

export interface Alerted {
  readonly level: Level;
  readonly stuck: boolean;
}

export function shares(runs: readonly Alerted[]): Record<Level, number>;
export function calibrationError(runs: readonly { readonly said: number; readonly stuck: boolean }[]): number;
export function leaveOneOutError(runs: readonly Alerted[], all?: readonly Alerted[]): number;
export function isMeasured(constants: Shares, measured: Shares): boolean;
