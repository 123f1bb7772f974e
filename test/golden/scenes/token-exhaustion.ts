import { type Scenes } from './scene';

export const tokenExhaustion: Scenes = {
  detectors: ['token_exhaustion'],
  scenes: {
    'a full context and nothing new': {
      run: (to) =>
        to
          .user('go')
          .used({ contextTokens: 50, contextWindow: 100 })
          .times(12, (one) => one.read('a').wait(1.2))
          .used({ contextTokens: 81, contextWindow: 100 })
          .used({ contextTokens: 81 })
          .used({ contextTokens: 85 })
          .used({ contextTokens: 96 })
          .used({ cost: 1 })
          .line('compaction', { tokensAfter: 30 })
          .used({ contextTokens: 30 }),
    },
    'of a limit on tokens': {
      run: (to) =>
        to
          .used({ totalTokens: 500, tokenLimit: 1000 })
          .times(13, (one) => one.read('a').wait(1.2))
          .used({ totalTokens: 850 })
          .used({ totalTokens: 990 })
          .read('b', 'something else')
          .used({ totalTokens: 991 })
          .user('Stop.'),
    },
    'where something progresses, or the time is short': {
      run: (to) =>
        to
          .used({ contextTokens: 90, contextWindow: 100 })
          .times(11, (one) => one.read('a'))
          .used({ contextTokens: 91 })
          .wait(12)
          .read('a')
          .edit('a')
          .times(3, (one) => one.read('a').wait(5))
          .used({ contextTokens: 92 })
          .told('go')
          .times(11, (one) => one.read('a'))
          .line('session_end', { reason: 'clean' }),
    },
  },
};
