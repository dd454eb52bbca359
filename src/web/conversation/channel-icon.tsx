import IconBrandWhatsapp from 'icon:brand-whatsapp'
import IconMail from 'icon:mail'
import IconMessage2 from 'icon:message-2'
import IconMessages from 'icon:messages'
import type { ConversationChannel } from '#domains/conversations/values.ts'
import { channelWords } from '../records/conversations/words.ts'

const shapes = { email: IconMail, sms: IconMessage2, chat: IconMessages, whatsapp: IconBrandWhatsapp }

type Props = { channel: ConversationChannel; className?: string | undefined; size?: number }

export function ChannelIcon({ channel, className, size = 16 }: Props) {
  const Shape = shapes[channel]
  return <Shape size={size} role="img" aria-label={channelWords[channel]} {...(className && { className })} />
}
