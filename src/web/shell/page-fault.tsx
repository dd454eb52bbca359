import { Button, Group } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import IconMoodSad from 'icon:mood-sad'
import IconSearchOff from 'icon:search-off'
import { paths } from '../paths.ts'
import { inWords, isProblem } from '../problem.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { Empty } from '../ui/states.tsx'
import { useTitle } from '../ui/title.ts'

/** For errors that no page has caught. */
export function PageFault({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  useTitle('Something went wrong')
  const again = () => {
    reset()
    void router.invalidate()
  }
  const requestId = isProblem(error) ? error.requestId : undefined
  return (
    <div role="alert">
      <Empty
        whole
        icon={<IconMoodSad size={34} stroke={1.4} />}
        title="Something went wrong"
        action={
          <Group gap="sm">
            <Button onClick={again}>Try again</Button>
            <Button variant="default" onClick={() => location.reload()}>
              Reload page
            </Button>
          </Group>
        }
      >
        {inWords(error)}
        {requestId && (
          <>
            <br />
            Share this request ID with an admin: <code>{requestId}</code>
          </>
        )}
      </Empty>
    </div>
  )
}

export function PageMissing() {
  useTitle('Not found')
  return (
    <Empty
      whole
      icon={<IconSearchOff size={34} stroke={1.4} />}
      title="Page not found"
      action={<LinkButton to={paths.leads}>Go to leads</LinkButton>}
    >
      The link may be old or mistyped.
    </Empty>
  )
}
