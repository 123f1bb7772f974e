import { targets } from '../fuzz/targets';
import { describeShortRun } from '../unit/fuzz/short-run';

describeShortRun(await targets(), 400);
