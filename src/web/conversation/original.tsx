import { Button } from '@mantine/core'
import { useEffect, useRef, useState, type RefObject } from 'react'
import type { ConversationEntry } from '#domains/conversations/contract.ts'
import classes from './original.module.css'

/** Until its document says how high it is. */
const FIRST_PX = 160
const LOOK_MS = 120
/** Where the page says that it has left out images from elsewhere. */
const LEFT_OUT = 'meta[name="rapport:images"][content="left-out"]'

type Props = { id: string; entry: ConversationEntry }

/** An email as its sender made it. Nothing in it can run, and links open elsewhere. */
export function Original({ id, entry }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [withImages, setWithImages] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const path = `/api/conversations/${id}/messages/${entry.id}/original`
  /** The button that was pressed is gone then. */
  const focusBox = () => box.current?.focus({ preventScroll: true })
  return (
    <div ref={box} tabIndex={-1} className={classes.original}>
      <Page
        key={`${withImages} ${attempt}`}
        title={entry.subject ? `Original of “${entry.subject}”` : 'Original email'}
        path={withImages ? `${path}?images=true` : path}
        showImages={() => {
          focusBox()
          setWithImages(true)
        }}
        retry={() => {
          focusBox()
          setAttempt(attempt + 1)
        }}
      />
    </div>
  )
}

type PageProps = { title: string; path: string; showImages: () => void; retry: () => void }

function Page({ title, path, showImages, retry }: PageProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const { height, isLeftOut, isBroken } = useDocument(frame)
  return (
    <>
      {isLeftOut && (
        <p className={classes.images} role="status">
          Images from elsewhere are not shown.
          <Button
            size="compact-xs"
            variant="default"
            title="The sender may see that you have opened the email"
            onClick={showImages}
          >
            Show images
          </Button>
        </p>
      )}
      {isBroken && (
        <p className={classes.images} role="alert">
          Couldn’t load the original.
          <Button size="compact-xs" variant="default" onClick={retry}>
            Try again
          </Button>
        </p>
      )}
      <iframe
        ref={frame}
        className={classes.frame}
        hidden={isBroken}
        title={title}
        // Its document cannot run scripts; the same origin lets this page measure it.
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        src={path}
        style={{ height }}
      />
    </>
  )
}

/** What the document in the frame says of itself, also while it is still loading images. */
function useDocument(frame: RefObject<HTMLIFrameElement | null>) {
  const [height, setHeight] = useState(FIRST_PX)
  const [isLeftOut, setIsLeftOut] = useState(false)
  const [isBroken, setIsBroken] = useState(false)
  useEffect(() => {
    const { current } = frame
    if (!current) return
    let watcher: ResizeObserver | undefined
    const measure = () => {
      const page = pageIn(current)
      if (page) setHeight(heightOf(page))
    }
    const look = () => {
      const page = pageIn(current)
      if (!page || watcher) return
      clearInterval(timer)
      setIsLeftOut(page.querySelector(LEFT_OUT) !== null)
      watcher = new ResizeObserver(measure)
      watcher.observe(page.documentElement)
      measure()
    }
    const loaded = () => {
      look()
      measure()
      if (!pageIn(current)) setIsBroken(true)
      clearInterval(timer)
    }
    // A slow image keeps back the load event.
    const timer = setInterval(look, LOOK_MS)
    current.addEventListener('load', loaded)
    return () => {
      clearInterval(timer)
      current.removeEventListener('load', loaded)
      watcher?.disconnect()
    }
  }, [frame])
  return { height, isLeftOut, isBroken }
}

/** Some pages are as high as their window, and their content is higher. */
function heightOf({ documentElement, body }: Document): number {
  return Math.ceil(Math.max(documentElement.getBoundingClientRect().height, body.scrollHeight))
}

/** The document once it is there; an error is no page. */
function pageIn({ contentDocument: page }: HTMLIFrameElement): Document | undefined {
  if (!page?.body || page.URL === 'about:blank' || page.contentType !== 'text/html') return undefined
  return page
}
