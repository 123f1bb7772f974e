import type { StatisticsIntent } from '../../panel';
import { connectHost } from '../host';
import { startStatistics } from './statistics';

startStatistics(document.body, connectHost<StatisticsIntent>());
