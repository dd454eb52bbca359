import type { Icon } from '../ui/icon.tsx'
import IconAdjustmentsHorizontal from 'icon:adjustments-horizontal'
import IconApps from 'icon:apps'
import IconBuilding from 'icon:building'
import IconCalendar from 'icon:calendar'
import IconCheckbox from 'icon:checkbox'
import IconClockPlay from 'icon:clock-play'
import IconCoin from 'icon:coin'
import IconCoins from 'icon:coins'
import IconDatabase from 'icon:database'
import IconDevices from 'icon:devices'
import IconFileImport from 'icon:file-import'
import IconFileInvoice from 'icon:file-invoice'
import IconForms from 'icon:forms'
import IconHeadset from 'icon:headset'
import IconHistory from 'icon:history'
import IconHome from 'icon:home'
import IconInbox from 'icon:inbox'
import IconMailbox from 'icon:mailbox'
import IconKey from 'icon:key'
import IconLayoutKanban from 'icon:layout-kanban'
import IconListCheck from 'icon:list-check'
import IconMail from 'icon:mail'
import IconMailCog from 'icon:mail-cog'
import IconMailOff from 'icon:mail-off'
import IconMessageCircle from 'icon:message-circle'
import IconMessages from 'icon:messages'
import IconPhone from 'icon:phone'
import IconPlugConnected from 'icon:plug-connected'
import IconReceipt from 'icon:receipt'
import IconSend from 'icon:send'
import IconSitemap from 'icon:sitemap'
import IconTemplate from 'icon:template'
import IconUsers from 'icon:users'
import IconUserShield from 'icon:user-shield'
import IconWebhook from 'icon:webhook'
import IconWorldSearch from 'icon:world-search'
import type { Place } from './go.ts'

export const placeIcons: Record<Place['key'], Icon> = {
  home: IconHome,
  conversations: IconInbox,
  tasks: IconCheckbox,
  leads: IconUsers,
  candidates: IconWorldSearch,
  pipeline: IconLayoutKanban,
  opportunities: IconCoin,
  accounts: IconBuilding,
  invoices: IconFileInvoice,
  projects: IconListCheck,
  imports: IconFileImport,
  forms: IconForms,
  workflows: IconSitemap,
  agents: IconHeadset,
  calls: IconPhone,
  meetings: IconCalendar,
  sequences: IconSend,
  outbox: IconMail,
  templates: IconTemplate,
  suppressions: IconMailOff,
  mailboxes: IconMail,
  'web-chat': IconMessageCircle,
  'outreach-settings': IconMailCog,
  'billing-settings': IconReceipt,
  'conversation-settings': IconMessages,
  'meeting-settings': IconCalendar,
  credits: IconCoins,
  'lead-settings': IconAdjustmentsHorizontal,
  members: IconUserShield,
  sessions: IconDevices,
  connected: IconPlugConnected,
  apps: IconApps,
  audit: IconHistory,
  inbox: IconMailbox,
  deliveries: IconWebhook,
  keys: IconKey,
  retention: IconDatabase,
  jobs: IconClockPlay,
}
