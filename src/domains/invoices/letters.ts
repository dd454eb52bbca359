import { fileURLToPath } from 'node:url'

/** The two faces that an invoice is set in: names of the PDF's own fonts, or files that are put into it. */
export type Faces = { regular: string; bold: string }

/** Every reader of PDFs has these, and they know the letters of Western Europe alone. */
const OWN: Faces = { regular: 'Helvetica', bold: 'Helvetica-Bold' }

/** These know Latin, Greek and Cyrillic letters, and the file takes along those that it needs. */
const SHIPPED: Faces = { regular: fontFile('DejaVuSans'), bold: fontFile('DejaVuSans-Bold') }

export type Lettering = {
  faces: Faces
  /** The text in letters that the faces have. */
  write: (text: string) => string
  /** Whether letters are missing. */
  changed: () => boolean
}

/** How this text can be set: what Western Europe writes needs no font in the file. */
export function letteringFor(all: string): Lettering {
  const faces = isWestern(tidied(all)) ? OWN : SHIPPED
  let changed = false
  return {
    faces,
    write(text) {
      const wanted = tidied(text)
      const written = wanted.replace(BEYOND_FONTS, '?')
      if (written !== wanted) changed = true
      return written
    },
    changed: () => changed,
  }
}

/** The letters of WinAnsi, which are those of the PDF's own fonts. */
const WESTERN = '\\n\\x20-\\x7e\\xa0-\\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'
const NOT_WESTERN = new RegExp(`[^${WESTERN}]`, 'u')

/** What hardly a font of text has: other scripts, pictures. */
const BEYOND_FONTS =
  /[^\n\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Inherited}\x20-\x7e\xa0-\u02ff\u2010-\u206f\u20a0-\u20bf\u2100-\u214f]/gu

/** Composed, with one kind of line end, and without what is not seen or would turn the direction of the rest. */
function tidied(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[\t\u2028\u2029]/g, ' ')
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '')
}

function isWestern(text: string): boolean {
  return text.search(NOT_WESTERN) < 0
}

function fontFile(name: string): string {
  return fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))
}
