export { type ReplayOptions, type ReplayPort, Replay, additionalContext } from './replayer';
export { SCENARIOS, type Scenario } from './scenarios';
export { beatsOf } from './recording';
