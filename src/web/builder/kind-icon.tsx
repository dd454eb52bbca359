import IconArrowsJoin from 'icon:arrows-join'
import IconArrowsSplit from 'icon:arrows-split'
import IconBell from 'icon:bell'
import IconBolt from 'icon:bolt'
import IconBriefcase from 'icon:briefcase'
import IconCheckbox from 'icon:checkbox'
import IconClipboard from 'icon:clipboard'
import IconClock from 'icon:clock'
import IconDoorExit from 'icon:door-exit'
import IconFileInvoice from 'icon:file-invoice'
import IconGitFork from 'icon:git-fork'
import IconMail from 'icon:mail'
import IconMessage from 'icon:message'
import IconPencil from 'icon:pencil'
import IconArrowBackUp from 'icon:arrow-back-up'
import IconMessages from 'icon:messages'
import IconPhoneCall from 'icon:phone-call'
import IconRepeat from 'icon:repeat'
import IconSend from 'icon:send'
import IconUserCheck from 'icon:user-check'
import IconUserPlus from 'icon:user-plus'
import IconWebhook from 'icon:webhook'
import type { Icon } from '../ui/icon.tsx'

const icons: Record<string, Icon> = {
  trigger: IconBolt,
  condition: IconGitFork,
  paste: IconClipboard,
  delay: IconClock,
  split: IconArrowsSplit,
  merge: IconArrowsJoin,
  loop: IconRepeat,
  break: IconDoorExit,
  send_email: IconMail,
  send_sms: IconMessage,
  create_task: IconCheckbox,
  update_field: IconPencil,
  assign_to_rep: IconUserCheck,
  push_notification: IconBell,
  create_project: IconBriefcase,
  generate_invoice: IconFileInvoice,
  call_webhook: IconWebhook,
  schedule_call: IconPhoneCall,
  reply: IconArrowBackUp,
  update_conversation: IconMessages,
  create_lead: IconUserPlus,
}

/** Of an action by its name, of anything else by its type. */
export function KindIcon({ kind, size }: { kind: string; size: number }) {
  const Shape = icons[kind] ?? IconSend
  return <Shape size={size} aria-hidden />
}
