import type { StatisticsIntent } from '../../panel-model';
import { connectHost } from '../host';
import { startStatistics } from '../statistics/statistics';

startStatistics(document.body, connectHost<StatisticsIntent>());
