// What a page must be, asked of a real browser. Every function returns a list of complaints.
(() => {
  const luminance = ([r, g, b]) => {
    const linear = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  };
  const parse = (colour) => {
    const n = colour.match(/[\d.]+/g).map(Number);
    return { rgb: n.slice(0, 3), alpha: n.length > 3 ? n[3] : 1 };
  };
  const over = (top, alpha, below) => top.map((v, i) => alpha * v + (1 - alpha) * below[i]);
  const canvas = () => {
    for (const e of [document.body, document.documentElement]) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.alpha > 0) return c.rgb;
    }
    return [255, 255, 255];
  };
  const background = (e) => {
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.alpha === 1) return c.rgb;
      if (c.alpha > 0) return over(c.rgb, c.alpha, background(e.parentElement));
    }
    return canvas();
  };
  const opacity = (e) => (e ? Number(getComputedStyle(e).opacity) * opacity(e.parentElement) : 1);
  const visible = (e) => e.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true });
  const excerpt = (s) => JSON.stringify(s.trim().replace(/\s+/g, " ").slice(0, 40));

  return {
    anchors: () => [...document.querySelectorAll("a[href^='#']")]
      .filter((a) => !document.getElementById(decodeURIComponent(a.getAttribute("href").slice(1))))
      .map((a) => "anchor without target: " + a.getAttribute("href")),

    figures: () => [...document.querySelectorAll("svg, img, figure, canvas")].flatMap((e) => {
      if (e.tagName === "FIGURE") return e.querySelector("figcaption")?.textContent.trim() ? [] : ["figure without caption"];
      if (e.tagName === "IMG") return e.alt ? [] : ["image without text alternative"];
      const ids = (e.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean);
      const named = ids.length
        ? ids.every((id) => document.getElementById(id)?.textContent.trim())
        : e.getAttribute("aria-label") || e.querySelector(":scope > title")?.textContent.trim();
      const role = e.classList.contains("graph") ? "group" : "img";
      return e.getAttribute("role") === role && named ? [] : ["figure without text alternative"];
    }),

    overlaps: () => [...document.querySelectorAll("svg")].filter(visible).flatMap((svg) => {
      const boxes = [...svg.querySelectorAll("text")].map((t) => [t.textContent, t.getBoundingClientRect()]);
      const frame = svg.getBoundingClientRect();
      const out = [];
      boxes.forEach(([name, a], i) => {
        if (!svg.classList.contains("strip") && (a.left < frame.left - 1 || a.right > frame.right + 1)) out.push("text leaves its figure: " + excerpt(name));
        for (const [other, b] of boxes.slice(i + 1)) {
          const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
          const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
          if (wide > 0.5 && high > 3) out.push("text overlaps: " + excerpt(name) + " and " + excerpt(other));
        }
      });
      return out;
    }),

    overflow: () => document.documentElement.scrollWidth > document.documentElement.clientWidth
      ? [`page is ${document.documentElement.scrollWidth} px wide in a window of ${document.documentElement.clientWidth} px`] : [],

    dark: () => luminance(canvas()) < 0.05 ? [] : ["background is not dark in dark mode"],

    light: () => luminance(canvas()) > 0.9 ? [] : ["background is not light"],

    contrast: () => {
      const out = new Set();
      const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let n = walk.nextNode(); n; n = walk.nextNode()) {
        const e = n.parentElement;
        if (!n.textContent.trim() || !visible(e) || e.closest("title, desc, annotation, style, script")) continue;
        const style = getComputedStyle(e);
        const below = background(e);
        const c = parse(e.closest("svg") ? style.fill : style.color);
        const ink = over(c.rgb, c.alpha * opacity(e), below);
        const [a, b] = [luminance(ink), luminance(below)];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        if (!(ratio >= (large ? 3 : 4.5))) out.add(`contrast ${ratio.toFixed(2)} of ${excerpt(n.textContent)}`);
      }
      return [...out];
    },

    folded: () => [...document.querySelectorAll("details:not([open])")].filter((e) => e.getBoundingClientRect().height > 0)
      .map(() => "a folded heading is printed without its text"),

    headings: () => {
      const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((h) => Number(h.tagName[1]));
      const out = levels.filter((l) => l === 1).length === 1 ? [] : ["not exactly one h1"];
      levels.forEach((l, i) => { if (i > 0 && l > levels[i - 1] + 1) out.push(`heading h${l} after h${levels[i - 1]}`); });
      return out;
    },

    focus: () => {
      const e = document.activeElement, r = e.getBoundingClientRect();
      if (!(e.tagName === "A" && /skip/i.test(e.textContent))) return ["the first stop of the keyboard is no skip link"];
      return r.top >= 0 && r.left >= 0 && r.width > 0 ? [] : ["the skip link is not visible when it has the focus"];
    },

    skipped: () => document.activeElement === document.querySelector(location.hash || "x-none") ? [] : ["the skip link does not move the focus"],

    pwned: () => (window.pwned ? ["text of the results was run as a script"] : []),

    formulas: () => [...document.querySelectorAll("math")].filter(visible)
      .filter((m) => m.getBoundingClientRect().height < 8 || m.querySelector("merror")).map((m) => "formula is not drawn: " + excerpt(m.textContent)),
  };
})()
