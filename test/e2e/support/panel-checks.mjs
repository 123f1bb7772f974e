// Checks of a drawn page by computed style and boxes.

/** Returns the texts with a contrast below 4.5 and the icons below 3 against their background: `text: ratio`. */
export function lowContrasts(page) {
  return page.evaluate(() => {
    const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgba = (color) => {
      probe.clearRect(0, 0, 1, 1);
      probe.fillStyle = color;
      probe.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = probe.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
    const behind = (element) => {
      const layers = [];
      for (let one = element; one; one = one.parentElement) {
        const color = rgba(getComputedStyle(one).backgroundColor);
        if (color[3] === 0) continue;
        layers.push(color);
        if (color[3] === 1) break;
      }
      return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
    };
    const luminance = ([r, g, b]) => {
      const linear = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
      return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    };
    const contrast = (a, b) => {
      const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
      return (light + 0.05) / (dark + 0.05);
    };
    const low = [];
    let checked = 0;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.textContent.trim() || !element || element.closest('script, .voice') || !element.checkVisibility())
        continue;
      const background = behind(element);
      const ratio = contrast(over(rgba(getComputedStyle(element).color), background), background);
      checked++;
      if (ratio < (element.classList.contains('icon') ? 3 : 4.5))
        low.push(`${node.textContent.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
    }
    if (checked < 30) low.push(`only ${checked} texts were found`);
    return low;
  });
}

/** Returns what overflows the edge of the page, and whether the page scrolls sideways. */
export function overflows(page) {
  return page.evaluate(() => {
    const found = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth - clientWidth} px too wide`);
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.checkVisibility() || element.closest('.voice, svg')) continue;
      // Text that a parent cuts with an ellipsis is in its tooltip.
      if (element.parentElement?.closest('.ellipsis')) continue;
      const box = element.getBoundingClientRect();
      if (box.width === 0) continue;
      const name = `${element.tagName.toLowerCase()}.${element.className}`;
      if (box.right > clientWidth + 0.5 || box.left < -0.5) found.push(`${name} stands over the edge`);
      const style = getComputedStyle(element);
      const cuts = style.textOverflow === 'ellipsis' || element.tagName === 'TEXTAREA' || element.tagName === 'CANVAS';
      // Boxes that contain others may let them reach into the page's margin, but text may not leave its box.
      const holdsText = element.childElementCount === 0 || style.overflowX !== 'visible';
      if (!cuts && holdsText && style.display !== 'inline' && element.scrollWidth > element.clientWidth + 1) {
        found.push(`${name} is ${element.scrollWidth - element.clientWidth} px wider than its box`);
      }
    }
    return found;
  });
}

/** Returns what fades or turns: elements whose style has a transition or an animation with a duration. */
export function moving(page) {
  return page.evaluate(() => {
    const lasts = (/** @type {string} */ times) => times.split(', ').some((time) => Number.parseFloat(time) > 0);
    return [...document.body.querySelectorAll('*')].flatMap((element) => {
      const { transitionDuration, animationName, animationDuration } = getComputedStyle(element);
      return lasts(transitionDuration) || (animationName !== 'none' && lasts(animationDuration))
        ? [`${element.tagName.toLowerCase()}.${element.className}`]
        : [];
    });
  });
}
