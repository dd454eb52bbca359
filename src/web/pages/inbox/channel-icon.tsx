import IconMail from 'icon:mail'
import IconMessage2 from 'icon:message-2'
import type { ConversationChannel } from '#domains/conversations/values.ts'
import { channelWords } from '../../records/conversations/words.ts'

type Props = { channel: ConversationChannel; className?: string | undefined; size?: number }

export function ChannelIcon({ channel, className, size = 16 }: Props) {
  const Shape = channel === 'email' ? IconMail : IconMessage2
  return <Shape size={size} role="img" aria-label={channelWords[channel]} {...(className && { className })} />
}
