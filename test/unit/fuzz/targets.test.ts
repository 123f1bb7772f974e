import { targets } from '../../fuzz/targets';
import { describeShortRun } from './short-run';

describeShortRun(await targets(), 15);
