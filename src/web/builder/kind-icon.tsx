import IconArrowsJoin from '@tabler/icons-react/dist/esm/icons/IconArrowsJoin.mjs'
import IconArrowsSplit from '@tabler/icons-react/dist/esm/icons/IconArrowsSplit.mjs'
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import IconBolt from '@tabler/icons-react/dist/esm/icons/IconBolt.mjs'
import IconBriefcase from '@tabler/icons-react/dist/esm/icons/IconBriefcase.mjs'
import IconCheckbox from '@tabler/icons-react/dist/esm/icons/IconCheckbox.mjs'
import IconClipboard from '@tabler/icons-react/dist/esm/icons/IconClipboard.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconDoorExit from '@tabler/icons-react/dist/esm/icons/IconDoorExit.mjs'
import IconFileInvoice from '@tabler/icons-react/dist/esm/icons/IconFileInvoice.mjs'
import IconGitFork from '@tabler/icons-react/dist/esm/icons/IconGitFork.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconMessage from '@tabler/icons-react/dist/esm/icons/IconMessage.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPhoneCall from '@tabler/icons-react/dist/esm/icons/IconPhoneCall.mjs'
import IconRepeat from '@tabler/icons-react/dist/esm/icons/IconRepeat.mjs'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import IconUserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs'
import IconWebhook from '@tabler/icons-react/dist/esm/icons/IconWebhook.mjs'
import type { Icon } from '@tabler/icons-react'

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
}

/** Of an action by its name, of anything else by its type. */
export function KindIcon({ kind, size }: { kind: string; size: number }) {
  const Shape = icons[kind] ?? IconSend
  return <Shape size={size} aria-hidden />
}
