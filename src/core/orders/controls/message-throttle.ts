import type { Control } from '../candidate.ts';
import { deny } from '../candidate.ts';

/** New orders and replacements inside any second, of the strategy and of the account. Cancels are not counted. */
export const messageThrottle: Control = ({ strategy }, _view, memory) => {
  const now = memory.uptime;
  const { messages, limits } = strategy;
  if (!messages.admits(now)) {
    return deny('MESSAGE_THROTTLE', `strategy ${limits.name} may send ${messages.max} orders in a second`);
  }
  return memory.messages.admits(now)
    ? undefined
    : deny('MESSAGE_THROTTLE', `the account may send ${memory.messages.max} orders in a second`);
};
