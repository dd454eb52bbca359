import { ActionIcon } from '@mantine/core'
import IconDots from 'icon:dots'
import IconDownload from 'icon:download'
import IconEraser from 'icon:eraser'
import { lazy, Suspense, useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { useIsAtLeast } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { ButtonMenu } from '../../ui/menu.tsx'

const EraseDialog = lazy(() =>
  import('./erase-dialog.tsx').then(({ EraseDialog }) => ({ default: EraseDialog })),
)

type Props = { lead: Lead; erased: () => void }

/** Privacy rights: export the data of a person, or erase it. */
export function PersonMenu({ lead, erased }: Props) {
  const [erasing, setErasing] = useState(false)
  const isAdmin = useIsAtLeast('ADMIN')
  const file = `/api/crm/leads/${lead.id}/personal-data`
  useCommands(
    isAdmin
      ? [
          {
            id: 'personal-data',
            group: 'This page',
            label: 'Download personal data',
            words: 'gdpr export privacy everything known',
            run: () => window.open(file),
          },
          {
            id: 'erase-person',
            group: 'This page',
            label: 'Erase this person',
            words: 'gdpr privacy forget delete for good',
            run: () => setErasing(true),
          },
        ]
      : [],
  )
  if (!isAdmin) return null
  return (
    <>
      <ButtonMenu
        position="bottom-end"
        button={
          <ActionIcon variant="default" aria-label="More">
            <IconDots size={16} />
          </ActionIcon>
        }
        items={[
          { label: 'Download personal data', icon: <IconDownload size={16} />, file },
          {
            label: 'Erase this person…',
            icon: <IconEraser size={16} />,
            danger: true,
            run: () => setErasing(true),
          },
        ]}
      />
      {erasing && (
        <Suspense fallback={null}>
          <EraseDialog lead={lead} erased={erased} close={() => setErasing(false)} />
        </Suspense>
      )}
    </>
  )
}
